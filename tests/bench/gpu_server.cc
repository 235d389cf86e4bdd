// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/bench/gpu_server.h"

#include <array>
#include <utility>

namespace gpuharden::test {
namespace {

void write_system(TreeWriter& tree) {
  tree.file("/usr/lib/os-release",
            "PRETTY_NAME=\"Ubuntu 24.04.4 LTS\"\nNAME=\"Ubuntu\"\nVERSION_ID=\"24.04\"\n"
            "VERSION=\"24.04.4 LTS (Noble Numbat)\"\nVERSION_CODENAME=noble\nID=ubuntu\nID_LIKE=debian\n");
  tree.folder("/etc");
  tree.link("/etc/os-release", "../usr/lib/os-release");
  for (const auto* name : {"bin", "sbin", "lib", "lib64"}) {
    tree.folder("/usr/" + std::string(name));
    tree.link("/" + std::string(name), "usr/" + std::string(name));
  }
  tree.file("/etc/hostname", "gpu-07\n");
  const std::string mounts =
      "24 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw\n"
      "25 24 0:22 / /proc rw,nosuid,nodev,noexec,relatime shared:12 - proc proc rw\n"
      "26 24 0:23 / /sys rw,nosuid,nodev,noexec,relatime shared:7 - sysfs sysfs rw\n"
      "27 24 0:5 / /dev rw,nosuid,relatime shared:2 - devtmpfs udev rw,size=1056612344k\n"
      "28 24 0:24 / /run rw,nosuid,nodev,noexec,relatime shared:5 - tmpfs tmpfs rw\n"
      "29 24 259:1 / /boot/efi rw,relatime shared:33 - vfat /dev/nvme0n1p1 rw\n"
      "30 24 0:52 / /srv/models rw,relatime shared:61 - nfs4 files:/models rw,vers=4.2\n";
  tree.file("/proc/1/mountinfo", mounts);
  tree.file("/proc/self/mountinfo", mounts);
}

}  // namespace

std::size_t* member_of(ServerSize& size, std::string_view name) {
  const std::array<std::pair<std::string_view, std::size_t*>, 11> members = {{{"kernels", &size.kernels},
                                                                              {"modules", &size.modules},
                                                                              {"packages", &size.packages},
                                                                              {"units", &size.units},
                                                                              {"containers", &size.containers},
                                                                              {"processes", &size.processes},
                                                                              {"sockets", &size.sockets},
                                                                              {"environments", &size.environments},
                                                                              {"gpus", &size.gpus},
                                                                              {"users", &size.users},
                                                                              {"nft_rules", &size.nft_rules}}};
  for (const auto& [word, member] : members) {
    if (word == name) return member;
  }
  return nullptr;
}

void write_gpu_server(const std::string& folder, const ServerSize& size) {
  TreeWriter tree(folder);
  write_system(tree);
  write_kernels(tree, size);
  write_gpus(tree, size);
  write_packages(tree, size);
  write_python(tree, size);
  write_units(tree, size);
  write_accounts(tree, size);
  write_containers(tree, size);
  write_processes(tree, size);
  write_firewall(tree, size);
  tree.finish(kRunningKernel);
}

}  // namespace gpuharden::test
