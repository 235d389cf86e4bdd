// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel switches: what is in force and what the next boot sets.
#include <array>
#include <map>
#include <set>

#include "checks/kernel/conf_files.h"
#include "checks/kernel/kernel_cmdline.h"
#include "checks/kernel/module_tree.h"
#include "checks/kernel/sysctl_conf.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::string_view kRoot = "/proc/sys/";
constexpr std::string_view kCmdline = "/proc/cmdline";
constexpr std::string_view kOldFile = "/etc/sysctl.conf";
constexpr std::array<std::string_view, 5> kFolders = {"/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d",
                                                      "/usr/lib/sysctl.d", "/lib/sysctl.d"};
constexpr std::array<std::string_view, 1> kSuffixes = {".conf"};

constexpr Column kColumns[] = {
    {"name", ColumnType::kText, "with dots: kernel.kptr_restrict", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"running", ColumnType::kText,
     "value in force, from /proc/sys; blanks for tabs; NULL when this kernel has no such switch"},
    {"running_number", ColumnType::kInteger, "the same as a number; NULL when it is none"},
    {"configured", ColumnType::kText,
     "value that the boot sets: the last one in the order of file names over /etc, /run, /usr/local/lib and /usr/lib, "
     "a file "
     "shadowing its namesakes; one that names the key wins over globs. /etc/sysctl.conf counts where it is linked from "
     "sysctl.d, or where systemd-sysctl is not installed and procps reads it last. NULL when none is set"},
    {"configured_number", ColumnType::kInteger, "the same as a number; NULL when it is none"},
    {"configured_file", ColumnType::kPath,
     "where that stands; /proc/cmdline for sysctl.… on the kernel's command line"},
    {"configured_line", ColumnType::kInteger, "line in that file"},
};

// Listed even when nothing is configured.
constexpr std::array<std::string_view, 24> kListed = {"dev/tty/ldisc_autoload",
                                                      "fs/protected_fifos",
                                                      "fs/protected_hardlinks",
                                                      "fs/protected_regular",
                                                      "fs/protected_symlinks",
                                                      "fs/suid_dumpable",
                                                      "kernel/apparmor_restrict_unprivileged_userns",
                                                      "kernel/core_pattern",
                                                      "kernel/dmesg_restrict",
                                                      "kernel/io_uring_disabled",
                                                      "kernel/kexec_load_disabled",
                                                      "kernel/kptr_restrict",
                                                      "kernel/modules_disabled",
                                                      "kernel/perf_event_paranoid",
                                                      "kernel/randomize_va_space",
                                                      "kernel/sysrq",
                                                      "kernel/unprivileged_bpf_disabled",
                                                      "kernel/unprivileged_userns_clone",
                                                      "kernel/yama/ptrace_scope",
                                                      "net/core/bpf_jit_harden",
                                                      "user/max_user_namespaces",
                                                      "vm/mmap_min_addr",
                                                      "vm/overcommit_memory",
                                                      "vm/unprivileged_userfaultfd"};

struct Setting {
  SysctlLine line;
  std::string file;
};

bool is_glob(std::string_view path) { return path.find_first_of("*?[") != std::string_view::npos; }

class Settings {
 public:
  explicit Settings(TableReader& out) : out_(out) {}

  void run() {
    read_cmdline();
    auto conf = read_conf_files(out_.files(), kFolders, kSuffixes);
    for (const auto& file : conf.files) add_file(file);
    for (const auto& failed : conf.errors) unread_configuration(failed.error);
    read_old_file();
    const auto proc = out_.files().stat("/proc/sys");
    if (!proc) no_kernel_ = kernel_fact_error(out_.host(), proc.error());
    for (const auto& path : candidates()) add_row(path);
  }

 private:
  // Which keys an unread file sets is not known.
  void unread_configuration(const Error& error) {
    for (const auto* column : {"configured", "configured_number"}) out_.gap("*", column, error);
  }

  // The kernel obeys these before any file is read.
  void read_cmdline() {
    const auto file = out_.files().read(kCmdline);
    if (!file && file.error().code == ErrorCode::kNotFound) return;
    if (!file) return unread_configuration(file.error());
    for (const auto& parameter : parse_kernel_cmdline(file->bytes)) {
      constexpr std::string_view kPrefix = "sysctl.";
      if (parameter.for_init || !parameter.value || !parameter.name.starts_with(kPrefix)) continue;
      add({{sysctl_path(std::string_view(parameter.name).substr(kPrefix.size())), *parameter.value, 1, false},
           std::string(kCmdline)});
    }
  }

  void read_old_file() {
    for (const auto* systemd : {"/usr/lib/systemd/systemd-sysctl", "/lib/systemd/systemd-sysctl"}) {
      if (may_exist(out_.files(), systemd)) return;
    }
    const auto file = out_.files().read(kOldFile);
    if (!file && file.error().code == ErrorCode::kNotFound) return;
    if (!file) return unread_configuration(file.error());
    add_file({std::string(kOldFile), file->bytes, 0});
  }

  void add_file(const ConfFile& file) {
    std::vector<std::uint32_t> bad_lines;
    for (auto& line : parse_sysctl_conf(file.bytes, bad_lines)) add({std::move(line), file.path});
  }

  void add(Setting setting) {
    if (is_glob(setting.line.path) && !setting.line.excludes) {
      globs_.push_back(std::move(setting));
    } else {
      exact_.insert_or_assign(setting.line.path, std::move(setting));
    }
  }

  std::set<std::string> candidates() {
    std::set<std::string> paths(kListed.begin(), kListed.end());
    for (const auto& [path, setting] : exact_) paths.insert(path);
    std::vector<Error> errors;
    for (const auto& glob : globs_) {
      for (const auto& path : expand_glob(out_.files(), concat({kRoot, glob.line.path}), errors, 20000)) {
        paths.insert(path.substr(kRoot.size()));
      }
    }
    for (const auto& error : errors) out_.gap(error);
    return paths;
  }

  const Setting* configured(const std::string& path) const {
    const auto found = exact_.find(path);
    if (found != exact_.end()) return found->second.line.excludes ? nullptr : &found->second;
    for (auto glob = globs_.rbegin(); glob != globs_.rend(); ++glob) {
      if (glob_match(glob->line.path, path)) return &*glob;
    }
    return nullptr;
  }

  void add_row(const std::string& path) {
    auto row = out_.row();
    row.set("name", sysctl_key(path));
    set_running(row, path);
    const Setting* setting = configured(path);
    if (setting == nullptr) return;
    row.set("configured", setting->line.value)
        .set("configured_number", parse_c_integer(setting->line.value))
        .set("configured_file", setting->file)
        .set("configured_line", setting->line.line);
  }

  void set_running(Row& row, const std::string& path) {
    if (no_kernel_) {
      row.unread("running", *no_kernel_).unread("running_number", *no_kernel_);
      return;
    }
    const auto file = out_.files().read(concat({kRoot, path}));
    if (!file && file.error().code == ErrorCode::kNotFound) return;
    if (!file) {
      row.unread("running", file.error()).unread("running_number", file.error());
      return;
    }
    std::string value(trim(file->bytes));
    for (char& c : value) c = c == '\t' ? ' ' : c;
    row.set("running_number", parse_c_integer(value)).set("running", value);
  }

  TableReader& out_;
  std::map<std::string, Setting> exact_;
  std::vector<Setting> globs_;
  std::optional<Error> no_kernel_;
};

void read_sysctl(TableReader& out) { Settings(out).run(); }

}  // namespace

Probe sysctl_probe() {
  return {
      {"sysctl", "Kernel switches that matter for security and all that are configured, running and configured value.",
       kColumns},
      &read_sysctl};
}

}  // namespace gpuharden
