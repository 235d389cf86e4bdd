// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

constexpr auto* kKernelYaml = "kernel: {release: 6.8.0-45-generic}";
constexpr std::string_view kModules = "/lib/modules/6.8.0-45-generic";
constexpr std::string_view kLoaded =
    "nvidia_uvm 4956160 4 - Live 0x0 (POE)\nnvidia 54239232 120 nvidia_uvm, Live 0x0 (POE)\n"
    "usb_storage 81920 1 uas, Live 0x0\nrootkit 4096 0 - Live 0x0 (OE)\n";

std::string in_modules(std::string_view path) { return std::string(kModules) + std::string(path); }

void load(Capture& capture) {
  capture.yaml(kKernelYaml)
      .file("/proc/modules", kLoaded)
      .file("/sys/module/nvidia/version", "550.90.07\n")
      .file("/sys/module/nvidia_uvm/srcversion", "ABC\n")
      .folder("/sys/module/usb_storage")
      .folder("/sys/module/rootkit")
      .file(in_modules("/modules.dep"),
            "kernel/drivers/usb/usb-storage.ko.zst:\nupdates/dkms/nvidia.ko:\n"
            "kernel/nvidia-550srv/nvidia-uvm.ko: updates/dkms/nvidia.ko\n");
}

TEST(KernelModulesProbe, FindsFilesByEitherSpelling) {
  Capture capture;
  load(capture);
  const auto table = read_table(*capture.open(), "kernel_modules");
  EXPECT_EQ(table.where("name", "usb_storage").at("path"), in_modules("/kernel/drivers/usb/usb-storage.ko.zst"));
  EXPECT_EQ(table.where("name", "usb_storage").at("in_tree"), "1");
  EXPECT_EQ(table.where("name", "usb_storage").at("provenance"), "kernel");
  EXPECT_EQ(table.where("name", "nvidia").at("in_tree"), "0");
  EXPECT_EQ(table.where("name", "nvidia").at("version"), "550.90.07");
  EXPECT_EQ(table.where("name", "nvidia").at("proprietary"), "1");
  EXPECT_EQ(table.where("name", "nvidia_uvm").at("source_version"), "ABC");
}

TEST(KernelModulesProbe, TellsWhoBroughtAModule) {
  Capture capture;
  load(capture);
  capture.file("/var/lib/dpkg/info/linux-modules-nvidia-550-server-6.8.0-45-generic.list",
               "/.\n/usr" + in_modules("/kernel/nvidia-550srv/nvidia-uvm.ko") + "\n");
  const auto table = read_table(*capture.open(), "kernel_modules");
  EXPECT_EQ(table.where("name", "nvidia_uvm").at("provenance"), "package");
  EXPECT_EQ(table.where("name", "nvidia_uvm").at("package"), "linux-modules-nvidia-550-server-6.8.0-45-generic");
  EXPECT_EQ(table.where("name", "nvidia").at("provenance"), "unmanaged");
  EXPECT_EQ(table.where("name", "rootkit").at("path"), "NULL");
  EXPECT_EQ(table.where("name", "rootkit").at("provenance"), "unmanaged");
}

TEST(KernelModulesProbe, DoesNotKnowOwnersWithoutADpkgDatabase) {
  Capture capture;
  load(capture);
  const auto table = read_table(*capture.open(), "kernel_modules");
  EXPECT_EQ(table.where("name", "nvidia").at("provenance"), "UNREAD");
}

TEST(KernelModulesProbe, DoesNotKnowFilesWithoutAnIndex) {
  Capture capture;
  capture.yaml(kKernelYaml).file("/proc/modules", kLoaded);
  const auto table = read_table(*capture.open(), "kernel_modules");
  EXPECT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.where("name", "nvidia").at("path"), "UNREAD");
}

TEST(KernelModulesProbe, LooksForTheSignatureInTheFile) {
  Capture capture;
  capture.yaml(kKernelYaml)
      .file("/proc/modules", "a 1 0 - Live 0x0\nb 1 0 - Live 0x0\n")
      .file(in_modules("/modules.dep"), "kernel/a.ko.xz:\nkernel/b.ko:\n")
      .file(in_modules("/kernel/a.ko.xz"), read_source("tests/data/kernel/modules/signed.ko.xz"))
      .file(in_modules("/kernel/b.ko"), read_source("tests/data/kernel/modules/tiny.ko"));
  const auto table = read_table(*capture.open(), "kernel_modules");
  EXPECT_EQ(table.where("name", "a").at("signed"), "1");
  EXPECT_EQ(table.where("name", "a").at("signer"), "DKMS module signing key");
  EXPECT_EQ(table.where("name", "b").at("signed"), "0");
}

TEST(KernelModulesProbe, HasNoRowsWhereTheKernelHasNoModules) {
  Capture capture;
  capture.folder("/proc/sys");
  const auto table = read_table(*capture.open(), "kernel_modules");
  EXPECT_TRUE(table.rows.empty() && table.gaps.empty());
}

TEST(KernelModulesProbe, IsAGapInAnImageAndForOddLines) {
  Capture capture;
  capture.file("/etc/os-release", "ID=debian\n");
  EXPECT_THAT(read_table(*capture.open_image(), "kernel_modules").gap_words(), testing::ElementsAre("* * not-held"));
  capture.file("/proc/modules", "what\n");
  EXPECT_THAT(read_table(*capture.open(), "kernel_modules").gap_words(), testing::ElementsAre("* * malformed"));
}

TEST(SysfsModulesProbe, TellsLoadableModulesOnly) {
  Capture capture;
  capture.file("/sys/module/nvidia/initstate", "live\n")
      .folder("/sys/module/printk")
      .file("/sys/module/x/initstate", "live")
      .yaml("paths: {/sys/module/x/initstate: {error: permission}}");
  const auto table = read_table(*capture.open(), "sysfs_modules");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("state"), "live");
  EXPECT_THAT(table.gap_words(), testing::ElementsAre("x * permission"));
}

TEST(KernelsInstalledProbe, TellsWhichKernelsHaveTheGpuModule) {
  Capture capture;
  capture.yaml(kKernelYaml)
      .file(in_modules("/modules.dep"), "kernel/nvidia-550srv/nvidia.ko:\n")
      .file(in_modules("/kernel/nvidia-550srv/nvidia.ko"), "x")
      .file("/lib/modules/6.8.0-50-generic/modules.dep",
            "kernel/drivers/gpu/drm/amd/amdgpu/amdgpu.ko.zst:\nupdates/dkms/nvidia.ko:\n")
      .file("/lib/modules/6.8.0-50-generic/kernel/drivers/gpu/drm/amd/amdgpu/amdgpu.ko.zst", "x")
      .folder("/lib/modules/leftover")
      .file("/boot/vmlinuz-6.8.0-50-generic", "")
      .file("/boot/initrd.img-6.8.0-50-generic", "")
      .file("/var/lib/dpkg/info/linux-modules-nvidia-550.list", in_modules("/kernel/nvidia-550srv/nvidia.ko") + "\n");
  const auto table = read_table(*capture.open(), "kernels_installed");
  ASSERT_EQ(table.rows.size(), 2U);
  const auto running = table.where("release", "6.8.0-45-generic");
  EXPECT_EQ(running.at("running"), "1");
  EXPECT_EQ(running.at("has_nvidia"), "1");
  EXPECT_EQ(running.at("nvidia_provenance"), "package");
  EXPECT_EQ(running.at("has_amdgpu"), "0");
  const auto other = table.where("release", "6.8.0-50-generic");
  EXPECT_EQ(other.at("has_nvidia"), "0");  // the index names a file that is gone
  EXPECT_EQ(other.at("has_amdgpu"), "1");
  EXPECT_EQ(other.at("bootable"), "1");
  EXPECT_EQ(other.at("initrd"), "/boot/initrd.img-6.8.0-50-generic");
}

TEST(ModprobeConfigProbe, PutsTheCommandLineLast) {
  Capture capture;
  capture.file("/etc/modprobe.d/b.conf", "blacklist usb-storage\n")
      .file("/lib/modprobe.d/a.conf", "\noptions nvidia NVreg_DeviceFileMode=0660\n")
      .file("/proc/cmdline",
            "ro modprobe.blacklist=nouveau,nova-core rd.driver.blacklist=nouveau module_blacklist=x kvm.nx=off\n");
  const auto table = read_table(*capture.open(), "modprobe_config");
  ASSERT_EQ(table.rows.size(), 7U);
  EXPECT_EQ(table.rows[0].at("file"), "/lib/modprobe.d/a.conf");
  EXPECT_EQ(table.rows[0].at("line"), "2");
  EXPECT_EQ(table.rows[1].at("module"), "usb_storage");
  EXPECT_EQ(table.where("module", "nova_core").at("command"), "blacklist");
  EXPECT_TRUE(table.has("command", "initramfs_blacklist"));
  EXPECT_TRUE(table.has("command", "module_blacklist"));
  EXPECT_EQ(table.where("module", "kvm").at("argument"), "nx=off");
}

TEST(ModprobeConfigProbe, NamesTheFileThatCannotBeRead) {
  Capture capture;
  capture.file("/etc/modprobe.d/b.conf", "x")
      .file("/proc/cmdline", "")
      .yaml("paths: {/etc/modprobe.d/b.conf: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "modprobe_config").gap_words(),
              testing::ElementsAre("/etc/modprobe.d/b.conf * permission"));
}

TEST(ModuleParametersProbe, ReadsIntegersAsTheKernelDoes) {
  Capture capture;
  capture.file("/etc/modprobe.d/10-nvidia.conf", "options nvidia NVreg_DeviceFileMode=0660\n")
      .file("/etc/modprobe.d/50-nvidia-perms.conf",
            "options nvidia NVreg_ModifyDeviceFiles=1 NVreg_DeviceFileMode=666\n")
      .file("/proc/cmdline", "")
      .file("/proc/driver/nvidia/params",
            "ModifyDeviceFiles: 1\nDeviceFileMode: 438\nRmProfilingAdminOnly: 1\nRegistryDwords: \"\"\n")
      .file("/sys/module/nvidia_uvm/parameters/uvm_enable_builtin_tests", "1\n")
      .file("/sys/module/nvidia_drm/parameters/modeset", "Y\n");
  const auto table = read_table(*capture.open(), "module_parameters");
  const auto mode = table.where("name", "NVreg_DeviceFileMode");
  EXPECT_EQ(mode.at("configured"), "666");
  EXPECT_EQ(mode.at("configured_number"), "666");
  EXPECT_EQ(mode.at("configured_file"), "/etc/modprobe.d/50-nvidia-perms.conf");
  EXPECT_EQ(mode.at("running_number"), "438");
  EXPECT_EQ(table.where("name", "NVreg_RestrictProfilingToAdminUsers").at("running"), "1");
  EXPECT_EQ(table.where("name", "NVreg_RegistryDwords").at("running"), "");
  EXPECT_EQ(table.where("name", "uvm_enable_builtin_tests").at("running_number"), "1");
  EXPECT_EQ(table.where("name", "modeset").at("running_number"), "1");
  EXPECT_TRUE(table.gaps.empty());
}

TEST(ModuleParametersProbe, IsAGapForWhatItCannotRead) {
  Capture capture;
  capture.file("/proc/cmdline", "")
      .file("/proc/driver/nvidia/params", "x")
      .folder("/sys/module")
      .yaml("paths: {/proc/driver/nvidia/params: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "module_parameters").gap_words(),
              testing::ElementsAre("nvidia running permission", "nvidia running_number permission"));
}

}  // namespace
}  // namespace gpuharden::test
