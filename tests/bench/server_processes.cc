// SPDX-License-Identifier: GPL-2.0-or-later
// What runs on the made-up server: /proc/PID of services, people's jobs and containers, and the
// sockets that they listen on.
#include <array>

#include "engine/base/text.h"
#include "tests/bench/gpu_server.h"

namespace gpuharden::test {
namespace {

constexpr std::size_t kFirstContained = 20000;  // process id

struct Process {
  std::size_t pid = 0;
  std::size_t uid = 0;
  std::string name, executable, arguments, cgroup, root = "/";
  std::vector<std::uint64_t> sockets;  // inodes
  bool uses_gpu = false;
};

std::string nul_separated(std::string text) {
  for (char& c : text) c = c == ' ' ? '\0' : c;
  return text + '\0';
}

std::string status_text(const Process& process) {
  const std::string id = std::to_string(process.uid);
  const std::string pid = std::to_string(process.pid);
  return concat({"Name:\t",
                 process.name,
                 "\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t",
                 pid,
                 "\nNgid:\t0\nPid:\t",
                 pid,
                 "\nPPid:\t1\nTracerPid:\t0\nUid:\t",
                 id,
                 "\t",
                 id,
                 "\t",
                 id,
                 "\t",
                 id,
                 "\nGid:\t",
                 id,
                 "\t",
                 id,
                 "\t",
                 id,
                 "\t",
                 id,
                 "\nFDSize:\t64\nGroups:\t44 109\nVmRSS:\t  524288 kB\nThreads:\t8\nCapEff:\t",
                 process.uid == 0 ? "000001ffffffffff" : "0000000000000000",
                 "\nNoNewPrivs:\t0\nSeccomp:\t0\n"});
}

void write_descriptors(TreeWriter& tree, const Process& process, const std::string& folder) {
  std::size_t descriptor = 0;
  const auto link = [&](const std::string& target) {
    tree.link(concat({folder, "/fd/", std::to_string(descriptor++)}), target);
  };
  link("/dev/null");
  link(concat({"socket:[", std::to_string(900000 + process.pid), "]"}));
  link(concat({"socket:[", std::to_string(900000 + process.pid), "]"}));
  for (const auto inode : process.sockets) link(concat({"socket:[", std::to_string(inode), "]"}));
  link("anon_inode:[eventpoll]");
  link("anon_inode:[eventfd]");
  if (!process.uses_gpu) return;
  for (const auto* node : {"/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0", "/dev/nvidia1"}) link(node);
}

// The libraries of a program that computes with PyTorch, and how many containers run one: one for each GPU.
constexpr std::size_t kLibraries = 150;
constexpr std::size_t kComputing = 8;

void write_maps(TreeWriter& tree, const Process& process, const std::string& folder) {
  const bool computes = process.root == "/" || process.pid < kFirstContained + kComputing;
  std::string maps = concat({"55d0-55d1 r-xp 00001000 103:02 17 ", process.executable, "\n"});
  for (std::size_t i = 0; i < (computes ? kLibraries : 3); ++i) {
    const std::string library = numbered("/usr/lib/x86_64-linux-gnu/libpart", i) + ".so";
    for (const auto* permissions : {"r--p", "r-xp", "r--p", "r--p", "rw-p"}) {
      maps += concat({"7f0012345000-7f0012346000 ", permissions, " 00001000 103:02 4242", numbered("", i),
                      "                   ", library, "\n"});
    }
    tree.file((process.root == "/" ? "" : process.root) + library, "ELF");
  }
  tree.file(folder + "/maps", maps);
}

void write_process(TreeWriter& tree, const Process& process) {
  const std::string folder = concat({"/proc/", std::to_string(process.pid)});
  tree.file(folder + "/status", status_text(process));
  tree.file(folder + "/comm", process.name + "\n");
  tree.file(folder + "/cmdline", nul_separated(concat({process.executable, " ", process.arguments})));
  tree.file(
      folder + "/environ",
      nul_separated("PATH=/usr/bin:/bin LANG=C.UTF-8 HOME=/var/lib/service CUDA_VISIBLE_DEVICES=0,1 NCCL_DEBUG=WARN"));
  tree.file(folder + "/cgroup", concat({"0::", process.cgroup, "\n"}));
  tree.file(folder + "/stat", concat({std::to_string(process.pid), " (", process.name,
                                      ") S 1 1 1 0 -1 4194560 100 0 0 0 5 5 0 0 20 0 8 0 4242 0 0\n"}));
  tree.file(folder + "/mountinfo", "24 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw\n");
  tree.link(folder + "/exe", process.executable);
  tree.link(folder + "/cwd", "/");
  tree.link(folder + "/root", process.root);
  for (const auto* name : {"mnt", "net", "pid", "user", "cgroup", "ipc", "uts"}) {
    tree.link(concat({folder, "/ns/", name}),
              concat({name, process.root == "/" ? ":[4026531840]"
                                                : concat({":[", std::to_string(4026600000 + process.pid), "]"})}));
  }
  write_descriptors(tree, process, folder);
  if (process.uses_gpu) write_maps(tree, process, folder);
}

Process contained(std::size_t number) {
  return {kFirstContained + number,
          0,
          "python3",
          "/usr/bin/python3",
          "-m serve --port 8000",
          concat({"/system.slice/docker-", container_id(number), ".scope"}),
          container_root(number),
          {},
          true};
}

Process service(std::size_t number) {
  constexpr std::array<std::string_view, 5> kServing = {"vllm", "ollama", "ray-head", "nvidia-dcgm", "jupyterhub"};
  if (number < kServing.size()) {
    const std::string name(kServing.at(number));
    return {1000 + number,
            980 + number,
            name,
            concat({"/usr/bin/", name}),
            "serve --host 0.0.0.0 --port 8000",
            concat({"/system.slice/", name, ".service"}),
            "/",
            {},
            true};
  }
  const std::string name = numbered("part", number);
  if (number % 3 != 0)
    return {1000 + number,
            0,
            name,
            concat({"/usr/lib/", name, "/", name, "d"}),
            "--foreground",
            concat({"/system.slice/", name, ".service"}),
            "/",
            {},
            false};
  const std::size_t uid = 1000 + number % 40;
  return {1000 + number,
          uid,
          "python3",
          "/usr/bin/python3",
          "train.py --epochs 10",
          concat({"/user.slice/user-", std::to_string(uid), ".slice/session-", std::to_string(number), ".scope"}),
          "/",
          {},
          number % 2 == 0};
}

std::string address_of(std::size_t number) {
  constexpr std::array<std::string_view, 5> kAddresses = {"127.0.0.1", "0.0.0.0", "::", "192.0.2.7", "::1"};
  return std::string(kAddresses.at(number % kAddresses.size()));
}

void write_init(TreeWriter& tree) {
  write_process(tree, {1, 0, "systemd", "/usr/lib/systemd/systemd", "--system", "/init.scope", "/", {}, false});
}

}  // namespace

void write_processes(TreeWriter& tree, const ServerSize& size) {
  std::vector<Process> processes;
  for (std::size_t i = 0; i < size.containers && i < size.processes; ++i) processes.push_back(contained(i));
  for (std::size_t i = 0; processes.size() < size.processes; ++i) processes.push_back(service(i));
  // The processes outside of containers share the sockets.
  for (std::size_t i = 0; i < size.sockets; ++i) {
    const auto owner = processes.size() - 1 - i % (processes.size() - size.containers / 2);
    const std::uint64_t inode = 500000 + i;
    processes.at(owner).sockets.push_back(inode);
    constexpr std::array<unsigned, 6> kPorts = {8000, 11434, 8265, 8888, 5555, 22};
    const auto port = i < kPorts.size() ? kPorts.at(i) : 20000 + static_cast<unsigned>(i % 40000);
    tree.socket({address_of(i), port, static_cast<unsigned>(processes.at(owner).uid), inode});
  }
  write_init(tree);
  for (const auto& process : processes) write_process(tree, process);
}

}  // namespace gpuharden::test
