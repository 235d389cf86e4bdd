// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

constexpr auto* kKernel = "kernel: {release: 6.8.0-45-generic}";
constexpr auto* kRelease = "6.8.0-45-generic";

std::string tree(std::string_view path) { return "/var/lib/dkms" + std::string(path); }

// A module that is built and installed as Debian does it.
void install(Capture& capture, const std::string& module, const std::string& version, const std::string& file,
             std::string_view built, std::string_view installed) {
  const auto source = "/usr/src/" + module + "-" + version;
  const auto build = version + "/" + kRelease + "/x86_64";
  capture.file(source + "/dkms.conf", "BUILT_MODULE_NAME[0]=\"" + module + "\"\nAUTOINSTALL=\"yes\"\n")
      .link(tree("/" + module + "/" + version + "/source"), source)
      .file(tree("/" + module + "/" + build + "/module/" + file), built)
      .file(tree("/" + module + "/" + build + "/log/make.log"), "log")
      .link(tree("/" + module + "/kernel-" + kRelease + "-x86_64"), build)
      .file("/lib/modules/" + std::string(kRelease) + "/updates/dkms/" + file, installed);
}

TEST(DkmsModulesProbe, KnowsAnInstalledModule) {
  Capture capture;
  capture.yaml(kKernel);
  install(capture, "nvidia", "550.90.07", "nvidia.ko", "a", "a");
  const auto table = read_table(*capture.open(), "dkms_modules");
  ASSERT_EQ(table.rows.size(), 1U);
  const auto& row = table.rows[0];
  EXPECT_EQ(row.at("state"), "installed");
  EXPECT_EQ(row.at("running"), "1");
  EXPECT_EQ(row.at("source"), "/usr/src/nvidia-550.90.07");
  EXPECT_EQ(row.at("autoinstall"), "1");
  EXPECT_EQ(row.at("built_files"), "1");
  EXPECT_EQ(row.at("missing_files"), "0");
}

// C23: the good version is not lost.
TEST(DkmsModulesProbe, CallsAModuleWithoutSourceBroken) {
  Capture capture;
  capture.yaml(kKernel).link(tree("/nvidia/535.104.05/source"), "/usr/src/nvidia-535.104.05");
  install(capture, "nvidia", "550.90.07", "nvidia.ko", "a", "a");
  const auto table = read_table(*capture.open(), "dkms_modules");
  EXPECT_EQ(table.where("version", "535.104.05").at("state"), "broken");
  EXPECT_EQ(table.where("version", "535.104.05").at("source"), "/usr/src/nvidia-535.104.05");
  EXPECT_EQ(table.where("version", "550.90.07").at("state"), "installed");
}

// C21: what "dkms status" prints in four ways is in the folders.
TEST(DkmsModulesProbe, TellsAddedBuiltAndInstalledApart) {
  Capture capture;
  capture.yaml(kKernel)
      .file("/usr/src/gdrdrv-2.4.1/dkms.conf", "PRE_BUILD=prepare.sh\nPOST_INSTALL=\"./hook $kernelver\"\n")
      .link(tree("/gdrdrv/2.4.1/source"), "/usr/src/gdrdrv-2.4.1")
      .file("/usr/src/zfs-2.1.5/dkms.conf", "AUTOINSTALL=no\n")
      .link(tree("/zfs/2.1.5/source"), "/usr/src/zfs-2.1.5")
      .file(tree("/zfs/2.1.5/5.15.0-119-generic/x86_64/module/zfs.ko"), "z");
  const auto table = read_table(*capture.open(), "dkms_modules");
  EXPECT_EQ(table.where("module", "gdrdrv").at("state"), "added");
  EXPECT_EQ(table.where("module", "gdrdrv").at("kernel"), "NULL");
  EXPECT_EQ(table.where("module", "gdrdrv").at("hooks"), "PRE_BUILD=prepare.sh; POST_INSTALL=./hook $kernelver");
  EXPECT_EQ(table.where("module", "zfs").at("state"), "built");
  EXPECT_EQ(table.where("module", "zfs").at("missing_files"), "1");
  EXPECT_EQ(table.where("module", "zfs").at("running"), "0");
}

// The module of another kernel, linked in weak-updates.
void link_weakly(Capture& capture) {
  constexpr auto* kBuild = "550.90.07/5.14.0-362.el9.x86_64/x86_64";
  capture.yaml("kernel: {release: 5.14.0-427.el9.x86_64}")
      .file("/usr/src/nvidia-550.90.07/dkms.conf", "AUTOINSTALL=yes\n")
      .link(tree("/nvidia/550.90.07/source"), "/usr/src/nvidia-550.90.07")
      .file(tree("/nvidia/") + kBuild + "/module/nvidia.ko.xz", "xz")
      .link(tree("/nvidia/kernel-5.14.0-362.el9.x86_64-x86_64"), kBuild)
      .file("/lib/modules/5.14.0-362.el9.x86_64/extra/nvidia.ko.xz", "xz")
      .link("/lib/modules/5.14.0-427.el9.x86_64/weak-updates/nvidia.ko.xz",
            "/lib/modules/5.14.0-362.el9.x86_64/extra/nvidia.ko.xz");
}

// C24
TEST(DkmsModulesProbe, CountsAWeakLinkForTheOtherKernel) {
  Capture capture;
  link_weakly(capture);
  const auto table = read_table(*capture.open(), "dkms_modules");
  EXPECT_EQ(table.where("kernel", "5.14.0-362.el9.x86_64").at("state"), "installed");
  EXPECT_EQ(table.where("kernel", "5.14.0-427.el9.x86_64").at("state"), "installed-weak");
  EXPECT_EQ(table.where("kernel", "5.14.0-427.el9.x86_64").at("running"), "1");
}

TEST(DkmsModulesProbe, CallsADanglingWeakLinkBroken) {
  Capture capture;
  link_weakly(capture);
  capture.yaml("paths: {/lib/modules/5.14.0-362.el9.x86_64/extra/nvidia.ko.xz: {error: not-found}}");
  EXPECT_EQ(read_table(*capture.open(), "dkms_modules").where("kernel", "5.14.0-427.el9.x86_64").at("state"), "broken");
}

TEST(DkmsModulesProbe, TellsWhoCanChangeWhatDkmsRuns) {
  Capture capture;
  capture.yaml(kKernel).yaml("paths: {/usr/src/nvidia-550.90.07/dkms.conf: {mode: \"0666\"}}");
  install(capture, "nvidia", "550.90.07", "nvidia.ko", "a", "a");
  EXPECT_THAT(read_table(*capture.open(), "dkms_modules").rows.at(0).at("conf_changeable_by"),
              testing::HasSubstr("world-writable"));
}

TEST(DkmsModulesProbe, FollowsAMovedTree) {
  Capture capture;
  capture.file("/etc/dkms/framework.conf", "# dkms_tree=/x\ndkms_tree=\"/srv/dkms\"\n").folder("/srv/dkms/zfs/2.0");
  EXPECT_EQ(read_table(*capture.open(), "dkms_modules").rows.at(0).at("module"), "zfs");
  capture.file("/etc/dkms/framework.conf.d/x.conf", "dkms_tree=$HOME/x\n");
  EXPECT_THAT(read_table(*capture.open(), "dkms_modules").gap_words(), testing::ElementsAre("* * unsupported"));
}

TEST(DkmsModulesProbe, IsEmptyWithoutDkmsAndAGapWhenUnreadable) {
  Capture capture;
  EXPECT_TRUE(read_table(*capture.open(), "dkms_modules").gaps.empty());
  capture.folder("/var/lib/dkms").yaml("paths: {/var/lib/dkms: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "dkms_modules").gap_words(), testing::ElementsAre("* * permission"));
}

// C20
TEST(DkmsFilesProbe, TellsADifferentFile) {
  Capture capture;
  capture.yaml(kKernel);
  install(capture, "amdgpu", "6.7.8", "amdgpu.ko", "built", "by hand");
  const auto table = read_table(*capture.open(), "dkms_files");
  EXPECT_EQ(table.where("name", "amdgpu").at("differs"), "1");
  EXPECT_EQ(table.where("name", "amdgpu").at("installed_file"), "/lib/modules/6.8.0-45-generic/updates/dkms/amdgpu.ko");
}

TEST(DkmsFilesProbe, ComparesAcrossCompression) {
  const std::string module = read_source("tests/data/kernel/modules/signed.ko");
  for (const auto* suffix : {".gz", ".xz", ".zst"}) {
    Capture capture;
    capture.yaml(kKernel);
    install(capture, "nvidia", "550", "nvidia-uvm.ko", module, module);
    const auto installed = "/lib/modules/6.8.0-45-generic/updates/dkms/nvidia-uvm.ko";
    std::remove((capture.root() + installed).c_str());
    capture.file(std::string(installed) + suffix,
                 read_source(std::string("tests/data/kernel/modules/signed.ko") + suffix));
    const auto table = read_table(*capture.open(), "dkms_files");
    EXPECT_EQ(table.where("name", "nvidia_uvm").at("differs"), "0") << suffix;
    EXPECT_EQ(table.where("name", "nvidia_uvm").at("signed"), "1") << suffix;
  }
}

TEST(DkmsFilesProbe, IsAGapForDamagedCompression) {
  Capture capture;
  capture.yaml(kKernel);
  install(capture, "nvidia", "550", "nvidia.ko.zst", "\x28\xb5\x2f\xfdxx", "other");
  EXPECT_EQ(read_table(*capture.open(), "dkms_files").where("name", "nvidia").at("differs"), "UNREAD");
}

}  // namespace
}  // namespace gpuharden::test
