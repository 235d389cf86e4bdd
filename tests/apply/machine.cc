// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/apply/machine.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "engine/base/digest.h"
#include "engine/base/text.h"

namespace gpuharden::test {
namespace fs = std::filesystem;

void make_old(const std::string& path) {
  const timespec times[2] = {{1600000000, 1}, {1600000000, 123456789}};
  ::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

namespace {

void put(const std::string& root, const std::string& path, const std::string& bytes, unsigned mode, unsigned uid = 0,
         unsigned gid = 0) {
  fs::create_directories(fs::path(root + path).parent_path());
  std::ofstream(root + path) << bytes;
  if (::chown((root + path).c_str(), uid, gid) != 0) throw std::runtime_error("these tests run as root");
  ::chmod((root + path).c_str(), mode);
  make_old(root + path);
}

void make_root(const std::string& root) {
  put(root, "/etc/group", "root:x:0:\nvideo:x:44:alice,bob\nrender:x:104:alice,bob,carol\n", 0644);
  put(root, "/etc/gshadow", "root:*::\nvideo:!::alice,bob\nrender:!::alice,bob,carol\n", 0640, 0, 42);
  put(root, "/etc/.pwd.lock", "", 0600);
  put(root, "/etc/environment", "PATH=/usr/bin\nLD_PRELOAD=/tmp/evil.so\nLANG=C\n", 0644);
  put(root, "/etc/modprobe.d/nvidia.conf", "options nvidia NVreg_DeviceFileMode=0666\n", 0604, 1000, 1000);
  put(root, "/etc/apt/sources.list.d/cuda.list", "deb [trusted=yes] https://example.org/ /\n", 0644);
  put(root, "/var/lib/dpkg/lock-frontend", "", 0640);
  put(root, "/etc/dkms/mok.key", "secret\xff\x00key", 0644, 0, 4);
  put(root, "/usr/bin/tool", "elf", 06755, 1000, 4);
  fs::create_directories(root + "/etc/systemd/system");
  fs::create_symlink("/usr/lib/systemd/system/ollama.service", root + "/etc/systemd/system/default.target");
  make_old(root + "/etc/systemd/system/default.target");
  ::setxattr((root + "/etc/modprobe.d/nvidia.conf").c_str(), "user.note", "kept", 4, 0);
}

FileState edited(FileState state, std::string bytes) {
  state.bytes = std::move(bytes);
  state.modified = {};
  return state;
}

std::string initial_kernel(const std::string&) { return FileKernel::initial_state(); }

std::vector<Step> every_kind_of_step(const Machine& machine) {
  const auto tree = TreeWriter::open(machine.root(), system_write_calls());
  const auto state = [&](const std::string& path) { return *(*tree)->capture(path); };
  const auto file = [&](const std::string& path, FileState after, bool shared = false) {
    return Step{{"test.rule"}, FileStep{path, state(path), std::move(after), shared}};
  };
  FileState key = state("/etc/dkms/mok.key");
  key.mode = 0600;
  key.gid = 0;
  FileState tool = state("/usr/bin/tool");
  tool.mode = 0755;
  tool.uid = 0;
  std::vector<Step> steps;
  steps.push_back(file("/etc/environment", edited(state("/etc/environment"), "PATH=/usr/bin\nLANG=C\n"), true));
  steps.push_back(file("/etc/modprobe.d/nvidia.conf",
                       edited(state("/etc/modprobe.d/nvidia.conf"), "options nvidia NVreg_DeviceFileMode=432\n")));
  steps.push_back(file("/etc/apt/sources.list.d/cuda.list", no_file()));
  steps.push_back(file("/etc/dkms/mok.key", key));
  steps.push_back(file("/usr/bin/tool", tool));
  steps.push_back(file("/etc/systemd/system/ollama.service.d", new_folder()));
  steps.push_back(file("/etc/systemd/system/ollama.service.d/50-gpuharden.conf", new_file("[Service]\n")));
  steps.push_back(file("/etc/systemd/system/default.target", new_link("multi-user.target")));
  const auto place = [&](const std::string& path) {
    const FileState found = state(path);
    return MemberPlace{path, 1, digest_of({found.bytes}), found.modified};
  };
  for (const auto* user : {"bob", "carol"})
    steps.push_back({{"test.group"}, GroupStep{"render", user, {place("/etc/group"), place("/etc/gshadow")}}});
  steps.push_back({{"test.sysctl"}, SysctlStep{"kernel.kptr_restrict", "0", "2"}});
  const std::vector<std::string> rules = {"-w /usr/bin/kmod -p x -k gpuharden", "-w /etc/group -p wa -k gpuharden"};
  steps.push_back({{"test.audit"}, AuditStep{rules, rules}});
  steps.push_back({{"test.nft"}, TableStep{"", "table inet gpuharden {\n}\n"}});
  steps.push_back({{"test.unit"}, UnitStep{UnitStep::Verb::kReload, ""}});
  steps.push_back({{"test.unit"}, UnitStep{UnitStep::Verb::kRestart, "ollama.service"}});
  steps.push_back({{"test.unit"}, UnitStep{UnitStep::Verb::kStart, "gpuharden-guard.service"}});
  return steps;
}

}  // namespace

const MachineKind kEveryKindOfStep = {&make_root, &initial_kernel, &every_kind_of_step};

// In memory where that can be had: disks are slow at thousands of small trees.
Machine::Machine(const MachineKind& kind)
    : kind_(kind),
      folder_(fs::is_directory("/dev/shm") ? "/dev/shm" : fs::temp_directory_path().string()),
      root_(folder_.path() + "/root"),
      kernel_file_(folder_.path() + "/kernel.json") {
  reset();
  plan_ = kind_.plan(*this);
}

void Machine::reset() {
  fs::remove_all(root_);
  fs::create_directories(root_);
  kind_.fill(root_);
  std::ofstream(kernel_file_) << kind_.kernel(root_);
}

std::string Machine::kernel_state() const {
  std::ifstream in(kernel_file_);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TransactionHeader Machine::header() const {
  TransactionHeader header;
  header.id = "20261130T120000Z-0001";
  header.tool_version = "test";
  header.profile = "locked";
  header.started = 1000;
  header.boot_id = "boot-1";
  return header;
}

Session::Session(const Machine& machine, Faults faults_at)
    : faults(faults_at), calls(faults), kernel(machine.kernel_file(), faults) {
  tree = std::move(TreeWriter::open(machine.root(), calls)).value();
}

Session::Session(const Machine& machine, WriteCalls& other) : calls(faults), kernel(machine.kernel_file(), faults) {
  tree = std::move(TreeWriter::open(machine.root(), other)).value();
}

Status Session::start() {
  GH_ASSIGN_OR_RETURN(journal, Journal::open(*tree));
  executor = std::make_unique<Executor>(*tree, kernel, *journal);
  return {};
}

bool is_killed_in(const std::function<void()>& run) {
  const auto child = ::fork();
  if (child == 0) {
    run();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

}  // namespace gpuharden::test
