// SPDX-License-Identifier: GPL-2.0-or-later
// The kernels of the made-up server, their modules, and what the running one says of itself.
#include <array>

#include "engine/base/text.h"
#include "tests/bench/gpu_server.h"

namespace gpuharden::test {
namespace {

constexpr std::array<std::string_view, 5> kDriverModules = {"nvidia", "nvidia-uvm", "nvidia-modeset", "nvidia-drm",
                                                            "nvidia-peermem"};
constexpr std::array<std::string_view, 12> kFolders = {"drivers/gpu/drm/amd/amdgpu",
                                                       "drivers/gpu/drm/nouveau",
                                                       "drivers/net/ethernet/mellanox",
                                                       "drivers/infiniband/core",
                                                       "drivers/nvme/host",
                                                       "drivers/usb/storage",
                                                       "fs/nfs",
                                                       "fs/xfs",
                                                       "net/netfilter",
                                                       "net/ipv4",
                                                       "sound/core",
                                                       "crypto"};
constexpr std::array<std::string_view, 12> kNames = {"amdgpu",    "nouveau",     "mlx5_core", "ib_core",
                                                     "nvme",      "usb-storage", "nfs",       "xfs",
                                                     "nf_tables", "udp_diag",    "snd",       "algif_aead"};

std::string release_of(std::size_t number) {
  // 6.8.0-57, -60 (running), -63 and on.
  return concat({"6.8.0-", std::to_string(57 + 3 * number), "-generic"});
}

void write_modules(TreeWriter& tree, const std::string& release, std::size_t count) {
  const std::string top = concat({"/usr/lib/modules/", release});
  std::string dependencies;
  std::string order;
  std::string list;  // of the package that holds them
  for (std::size_t i = 0; i < count; ++i) {
    const auto kind = i % kFolders.size();
    const std::string name =
        i < kNames.size() ? std::string(kNames.at(kind)) : concat({kNames.at(kind), "_", std::to_string(i)});
    const std::string path = concat({"kernel/", kFolders.at(kind), "/", name, ".ko"});
    tree.file(concat({top, "/", path}), module_file(name, release, true));
    dependencies += concat({path, ":\n"});
    order += concat({path, "\n"});
    list += concat({"/lib/modules/", release, "/", path, "\n"});
  }
  for (const auto name : kDriverModules) {
    const std::string path = concat({"updates/dkms/", name, ".ko"});
    tree.file(concat({top, "/", path}), module_file(name, release, true));
    dependencies += concat({path, name == "nvidia" ? ":\n" : ": updates/dkms/nvidia.ko\n"});
  }
  tree.file(top + "/modules.dep", dependencies);
  tree.file(top + "/modules.order", order);
  tree.file(concat({"/var/lib/dpkg/info/linux-modules-", release, ".list"}), list);
  tree.file(top + "/modules.builtin",
            "kernel/net/ipv4/tcp_diag.ko\nkernel/net/ipv4/inet_diag.ko\nkernel/fs/ext4/ext4.ko\n");
}

void write_boot(TreeWriter& tree, const std::string& release) {
  tree.file("/boot/config-" + release,
            "CONFIG_MODULE_SIG=y\nCONFIG_MODULE_SIG_ALL=y\n# CONFIG_MODULE_SIG_FORCE is not "
            "set\nCONFIG_SECURITY_LOCKDOWN_LSM=y\n");
  tree.file("/boot/vmlinuz-" + release, "MZ made up\n");
  tree.file("/boot/initrd.img-" + release, "070701 made up\n");
}

void write_dkms(TreeWriter& tree, std::size_t kernels) {
  tree.file("/usr/src/nvidia-580.95.05/dkms.conf",
            "PACKAGE_NAME=\"nvidia\"\nPACKAGE_VERSION=\"580.95.05\"\nBUILT_MODULE_NAME[0]=\"nvidia\"\n"
            "DEST_MODULE_LOCATION[0]=\"/updates/dkms\"\nAUTOINSTALL=\"yes\"\n");
  tree.file("/var/lib/dpkg/info/nvidia-dkms-580.list",
            "/usr/src\n/usr/src/nvidia-580.95.05\n/usr/src/nvidia-580.95.05/dkms.conf\n");
  tree.folder("/var/lib/dkms/nvidia/580.95.05");
  tree.link("/var/lib/dkms/nvidia/580.95.05/source", "/usr/src/nvidia-580.95.05");
  for (std::size_t i = 0; i < kernels; ++i) {
    const std::string release = release_of(i);
    tree.link(concat({"/var/lib/dkms/nvidia/kernel-", release, "-x86_64"}), concat({"580.95.05/", release, "/x86_64"}));
    for (const auto name : kDriverModules) {
      tree.file(concat({"/var/lib/dkms/nvidia/580.95.05/", release, "/x86_64/module/", name, ".ko"}),
                module_file(name, release, true));
    }
  }
}

void write_configuration(TreeWriter& tree) {
  tree.file("/etc/modprobe.d/blacklist-nouveau.conf", "blacklist nouveau\noptions nouveau modeset=0\n");
  tree.file("/etc/modprobe.d/nvidia.conf",
            "options nvidia NVreg_DeviceFileUID=0 NVreg_DeviceFileGID=44 NVreg_DeviceFileMode=0660\n"
            "options nvidia NVreg_RestrictProfilingToAdminUsers=1\n");
  tree.file("/usr/lib/modprobe.d/systemd.conf", "options bonding max_bonds=0\noptions dummy numdummies=0\n");
  for (std::size_t i = 0; i < 12; ++i) {
    tree.file(concat({"/usr/lib/modprobe.d/blacklist-", std::to_string(i), ".conf"}),
              concat({"# a driver that nobody wants\nblacklist driver", std::to_string(i), "\n"}));
    tree.file(concat({"/usr/lib/sysctl.d/", std::to_string(10 + i), "-part.conf"}),
              concat({"# part\nnet.ipv4.conf.eth", std::to_string(i), ".rp_filter = 1\n"}));
  }
  tree.file(
      "/etc/sysctl.d/99-hardening.conf",
      "kernel.yama.ptrace_scope = 1\nkernel.kptr_restrict = 2\nkernel.dmesg_restrict = 1\nfs.suid_dumpable = 0\n");
  tree.file("/etc/sysctl.conf", "# nothing\n");
  tree.file("/etc/modules-load.d/nvidia.conf", "nvidia-uvm\n");
}

void write_kernel_answers(TreeWriter& tree) {
  tree.file("/proc/version", concat({"Linux version ", kRunningKernel, " (made@up) #61 SMP\n"}));
  tree.file("/proc/cmdline",
            concat({"BOOT_IMAGE=/boot/vmlinuz-", kRunningKernel, " root=/dev/nvme0n1p2 ro quiet iommu=pt\n"}));
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kSettings = {
      {{"kernel/tainted", "12288"},
       {"kernel/modules_disabled", "0"},
       {"kernel/yama/ptrace_scope", "1"},
       {"kernel/kptr_restrict", "1"},
       {"kernel/dmesg_restrict", "1"},
       {"kernel/unprivileged_bpf_disabled", "2"},
       {"kernel/perf_event_paranoid", "4"},
       {"kernel/kexec_load_disabled", "0"},
       {"fs/suid_dumpable", "2"},
       {"net/ipv6/bindv6only", "0"}}};
  for (const auto& [name, value] : kSettings) tree.file(concat({"/proc/sys/", name}), concat({value, "\n"}));
  tree.file("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
  tree.file("/sys/kernel/security/lsm", "lockdown,capability,landlock,yama,apparmor");
  tree.file("/sys/module/module/parameters/sig_enforce", "N\n");
  tree.file("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
            std::string_view("\6\0\0\0\1", 5));
  std::string modules = "udp_diag 12288 0 - Live 0x0000000000000000\n";
  for (const auto name : kDriverModules) {
    std::string kernel_name(name);
    for (char& c : kernel_name) c = c == '-' ? '_' : c;
    modules += concat({kernel_name, " 1802240 2 - Live 0x0000000000000000 (OE)\n"});
    tree.file(concat({"/sys/module/", kernel_name, "/version"}), "580.95.05\n");
    tree.file(concat({"/sys/module/", kernel_name, "/taint"}), "OE\n");
    tree.file(concat({"/sys/module/", kernel_name, "/initstate"}), "live\n");
    tree.file(concat({"/sys/module/", kernel_name, "/srcversion"}), "0123456789ABCDEF0123456\n");
  }
  for (std::size_t i = 0; i < 150; ++i) {
    modules += concat({numbered("driver", i), " 16384 1 - Live 0x0000000000000000\n"});
    tree.file(concat({"/sys/module/", numbered("driver", i), "/initstate"}), "live\n");
    tree.file(concat({"/sys/module/", numbered("driver", i), "/taint"}), "\n");
  }
  tree.file("/proc/modules", modules);
}

}  // namespace

void write_kernels(TreeWriter& tree, const ServerSize& size) {
  for (std::size_t i = 0; i < size.kernels; ++i) {
    write_modules(tree, release_of(i), size.modules);
    write_boot(tree, release_of(i));
  }
  write_dkms(tree, size.kernels);
  write_configuration(tree);
  write_kernel_answers(tree);
  tree.file("/etc/default/grub",
            "GRUB_DEFAULT=0\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet iommu=pt\"\nGRUB_CMDLINE_LINUX=\"\"\n");
}

}  // namespace gpuharden::test
