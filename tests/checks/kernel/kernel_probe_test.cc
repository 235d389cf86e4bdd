// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using namespace std::string_literals;

constexpr auto* kSecureBootVariable = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";

void fill(Capture& capture) {
  capture.file("/proc/cmdline", "BOOT_IMAGE=/vmlinuz audit=1 quiet\n")
      .file("/proc/modules", "")
      .file("/proc/sys/kernel/tainted", "12289\n")
      .file("/proc/sys/kernel/modules_disabled", "0\n")
      .file("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n")
      .file("/sys/module/module/parameters/sig_enforce", "N\n")
      .file(kSecureBootVariable, "\x06\0\0\0\1"s)
      .yaml("kernel: {release: 6.8.0-45-generic, version: '#45-Ubuntu'}");
}

TEST(KernelProbe, ReadsWhatDecidesAboutModules) {
  Capture capture;
  fill(capture);
  const auto table = read_table(*capture.open(), "kernel");
  ASSERT_EQ(table.rows.size(), 1U);
  const auto& row = table.rows[0];
  EXPECT_EQ(row.at("release"), "6.8.0-45-generic");
  EXPECT_EQ(row.at("lockdown"), "integrity");
  EXPECT_EQ(row.at("sig_enforce"), "0");
  EXPECT_EQ(row.at("taint_flags"), "POE");
  EXPECT_EQ(row.at("secure_boot"), "1");
  EXPECT_EQ(row.at("setup_mode"), "0");
  EXPECT_EQ(row.at("audit_cmdline"), "1");
  EXPECT_TRUE(table.gaps.empty());
}

TEST(KernelProbe, HasNoSecureBootWithoutEfi) {
  Capture capture;
  capture.folder("/sys/firmware/acpi").folder("/sys/module/module").file("/sys/kernel/security/lsm", "yama");
  const auto table = read_table(*capture.open(), "kernel");
  EXPECT_EQ(table.rows[0].at("secure_boot"), "NULL");
  EXPECT_EQ(table.rows[0].at("sig_enforce"), "NULL");
  EXPECT_EQ(table.rows[0].at("lockdown"), "NULL");
  EXPECT_EQ(table.rows[0].at("tainted"), "UNREAD");
}

TEST(KernelProbe, DoesNotKnowWhatIsNotMounted) {
  Capture capture;
  capture.folder("/sys/kernel/security").folder("/sys/firmware/efi/efivars");
  const auto row = read_table(*capture.open(), "kernel").rows[0];
  EXPECT_EQ(row.at("lockdown"), "UNREAD");
  EXPECT_EQ(row.at("secure_boot"), "UNREAD");
}

TEST(KernelProbe, TellsReleaseAloneOfAnImage) {
  Capture capture;
  capture.file("/etc/os-release", "ID=debian\n").file("/proc/sys/kernel/osrelease", "6.1.0-28-amd64\n");
  const auto table = read_table(*capture.open_image(), "kernel");
  EXPECT_EQ(table.rows[0].at("release"), "6.1.0-28-amd64");
  for (const auto& gap : table.gaps) EXPECT_EQ(gap.cause, ErrorCode::kNotHeld) << gap.column;
  EXPECT_EQ(table.gaps.size(), 12U);
}

TEST(KernelCmdlineProbe, HasARowForEachWord) {
  Capture capture;
  capture.file("/proc/cmdline", "ro intel-iommu=on audit=1 -- audit=0\n");
  const auto table = read_table(*capture.open(), "kernel_cmdline");
  EXPECT_EQ(table.where("name", "ro").at("value"), "NULL");
  EXPECT_EQ(table.where("name", "intel_iommu").at("value"), "on");
  EXPECT_EQ(table.where("position", "4").at("for_init"), "1");
}

TEST(KernelConfigProbe, TellsHowTheRunningKernelWasBuilt) {
  Capture capture;
  capture.yaml("kernel: {release: 6.1.0-28-amd64}")
      .file("/boot/config-6.1.0-28-amd64", "CONFIG_MODULE_SIG=y\n# CONFIG_MODULE_SIG_FORCE is not set\n");
  const auto table = read_table(*capture.open(), "kernel_config");
  EXPECT_EQ(table.where("name", "CONFIG_MODULE_SIG").at("value"), "y");
  EXPECT_EQ(table.where("name", "CONFIG_MODULE_SIG_FORCE").at("value"), "n");
  EXPECT_EQ(table.where("name", "CONFIG_SECURITY_DMESG_RESTRICT").at("value"), "n");
}

TEST(KernelConfigProbe, IsAGapWhereNothingTells) {
  Capture capture;
  capture.yaml("kernel: {release: 6.1.0-28-amd64}");
  EXPECT_THAT(read_table(*capture.open(), "kernel_config").gap_words(), testing::ElementsAre("* * not-found"));
}

TEST(SysctlProbe, TellsRunningAndConfiguredValues) {
  Capture capture;
  capture.file("/proc/sys/kernel/kptr_restrict", "1\n")
      .file("/proc/sys/kernel/printk", "4\t4\t1\t7\n")
      .file("/etc/sysctl.d/10-x.conf", "kernel.kptr_restrict=0\n")
      .file("/usr/lib/sysctl.d/50-x.conf", "-kernel/kptr_restrict = 2\nkernel.printk=3 4 1 3\n")
      .file("/usr/lib/sysctl.d/10-x.conf", "kernel.kptr_restrict = 9\nkernel.shadowed=1\n");
  const auto table = read_table(*capture.open(), "sysctl");
  const auto row = table.where("name", "kernel.kptr_restrict");
  EXPECT_EQ(row.at("running_number"), "1");
  EXPECT_EQ(row.at("configured"), "2");
  EXPECT_EQ(row.at("configured_file"), "/usr/lib/sysctl.d/50-x.conf");
  EXPECT_EQ(row.at("configured_line"), "1");
  EXPECT_EQ(table.where("name", "kernel.printk").at("running"), "4 4 1 7");
  EXPECT_FALSE(table.has("name", "kernel.shadowed"));
  EXPECT_EQ(table.where("name", "kernel.dmesg_restrict").at("running"), "NULL");
}

TEST(SysctlProbe, LetsANamedKeyWinOverAGlob) {
  Capture capture;
  capture.file("/proc/sys/net/ipv4/conf/all/rp_filter", "0\n")
      .file("/proc/sys/net/ipv4/conf/eth0.1/rp_filter", "0\n")
      .file("/proc/sys/net/ipv4/conf/lo/rp_filter", "0\n")
      .file("/etc/sysctl.d/1.conf",
            "net.ipv4.conf.all.rp_filter=1\nnet.ipv4.conf.*.rp_filter=2\n-net.ipv4.conf.lo.rp_filter\n");
  const auto table = read_table(*capture.open(), "sysctl");
  EXPECT_EQ(table.where("name", "net.ipv4.conf.all.rp_filter").at("configured"), "1");
  EXPECT_EQ(table.where("name", "net.ipv4.conf.eth0/1.rp_filter").at("configured"), "2");
  EXPECT_EQ(table.where("name", "net.ipv4.conf.lo.rp_filter").at("configured"), "NULL");
}

TEST(SysctlProbe, ReadsTheOldFileWhereTheBootDoes) {
  Capture capture;
  capture.folder("/proc/sys")
      .file("/etc/sysctl.conf", "kernel.sysrq=0\n")
      .file("/etc/sysctl.d/99-a.conf", "kernel.sysrq=1\n");
  EXPECT_EQ(read_table(*capture.open(), "sysctl").where("name", "kernel.sysrq").at("configured"), "0");
  capture.file("/usr/lib/systemd/systemd-sysctl", "");
  EXPECT_EQ(read_table(*capture.open(), "sysctl").where("name", "kernel.sysrq").at("configured"), "1");
  capture.link("/etc/sysctl.d/99-sysctl.conf", "../sysctl.conf");
  EXPECT_EQ(read_table(*capture.open(), "sysctl").where("name", "kernel.sysrq").at("configured"), "0");
}

TEST(SysctlProbe, TakesALinkToNothingAsAMask) {
  Capture capture;
  capture.folder("/proc/sys")
      .file("/usr/lib/sysctl.d/50-a.conf", "kernel.sysrq=1\n")
      .link("/etc/sysctl.d/50-a.conf", "/dev/null");
  const auto table = read_table(*capture.open(), "sysctl");
  EXPECT_EQ(table.where("name", "kernel.sysrq").at("configured"), "NULL");
  EXPECT_TRUE(table.gaps.empty());
}

TEST(SysctlProbe, IsAGapWhereItCannotRead) {
  Capture capture;
  capture.file("/proc/sys/kernel/sysrq", "1\n")
      .file("/etc/sysctl.d/1.conf", "kernel.sysrq=1\n")
      .yaml("paths: {/etc/sysctl.d/1.conf: {type: fifo}, /proc/sys/kernel/sysrq: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "sysctl").gap_words(),
              testing::ElementsAre("* configured not-regular", "* configured_number not-regular",
                                   "kernel.sysrq running permission", "kernel.sysrq running_number permission"));
}

TEST(SysctlProbe, HoldsTheConfigurationOfAnImage) {
  Capture capture;
  capture.file("/etc/os-release", "ID=debian\n").file("/etc/sysctl.d/1.conf", "kernel.*=1\n");
  const auto table = read_table(*capture.open_image(), "sysctl");
  EXPECT_EQ(table.where("name", "kernel.dmesg_restrict").at("configured"), "1");
  EXPECT_EQ(table.where("name", "kernel.dmesg_restrict").at("running"), "UNREAD");
  EXPECT_EQ(table.gaps.front().cause, ErrorCode::kNotHeld);
}

}  // namespace
}  // namespace gpuharden::test
