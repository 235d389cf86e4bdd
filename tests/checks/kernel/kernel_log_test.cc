// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/kernel/kernel_log.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;

KernelLogEvent only(std::string_view text) {
  const auto summary = parse_kernel_log(text);
  return summary.events.size() == 1 ? summary.events[0] : KernelLogEvent{"none or several", "", "", 0, 0, 0, ""};
}

TEST(KernelLog, FindsAnXid) {
  const auto event = only(
      "<3>[ 1234.567890] NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, GPU has "
      "fallen off the bus.\n");
  EXPECT_EQ(event.kind, "xid");
  EXPECT_EQ(event.device, "0000:3b:00");
  EXPECT_EQ(event.about, "79");
  EXPECT_EQ(event.first, 1234);
}

TEST(KernelLog, CountsWhatIsSaidAgain) {
  const auto event = only(
      "<4>[   10.000001] NVRM: Xid (PCI:0000:3b:00): 94, pid=7, name=python3, Contained: x\n"
      "<4>[   20.000001] NVRM: Xid (PCI:0000:3b:00): 94, pid=8, name=python3, Contained: y\n");
  EXPECT_EQ(event.count, 2U);
  EXPECT_EQ(event.first, 10);
  EXPECT_EQ(event.last, 20);
  EXPECT_TRUE(event.text.ends_with("y"));
}

TEST(KernelLog, FindsAGpuThatIsGoneWithoutANumber) {
  EXPECT_EQ(only("<3>[1.0] NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.\n").device, "0000:3b:00");
  EXPECT_EQ(only("<3>[1.0] NVRM: GPU at PCI:0000:3b:00: has fallen off the bus.\n").kind, "fell-off-bus");
}

TEST(KernelLog, FindsWhatAmdgpuSays) {
  EXPECT_EQ(only("<3>[1.0] amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1, emitted seq=3\n").about,
            "gfx_0.0.0");
  EXPECT_EQ(only("<3>[1.0] [drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring sdma0 timeout, signaled\n").about, "sdma0");
  EXPECT_EQ(only("<6>[1.0] amdgpu 0000:c1:00.0: amdgpu: 2 uncorrectable hardware errors detected in umc block\n").kind,
            "uncorrectable");
  EXPECT_EQ(only("<6>[1.0] amdgpu 0000:c1:00.0: amdgpu: 2 correctable hardware errors detected in umc block\n").kind,
            "correctable");
  EXPECT_EQ(only("<6>[1.0] amdgpu 0000:03:00.0: amdgpu: GPU reset(2) failed\n").kind, "reset-failed");
}

TEST(KernelLog, FindsModulesWithoutATrustedSignature) {
  const auto event = only("<4>[5.1] nvidia: module verification failed: signature and/or required key missing\n");
  EXPECT_EQ(event.kind, "module-unverified");
  EXPECT_EQ(event.about, "nvidia");
  EXPECT_EQ(only("<5>[5.1] Loading of module with unavailable key is rejected\n").kind, "module-refused");
}

TEST(KernelLog, DoesNotBelieveProgramsThatWriteToIt) {
  EXPECT_TRUE(
      parse_kernel_log("<30>[1.0] rogue: NVRM: Xid (PCI:0000:3b:00): 79, x\nNVRM: Xid (x): 79\n").events.empty());
}

TEST(KernelLog, TakesLinesWithoutATime) {
  EXPECT_EQ(only("<3>NVRM: Xid (0000:3b:00): 48, x").first, -1);
  EXPECT_EQ(parse_kernel_log("<3>[   77.1] a\n<3>[99.0] b\n").oldest, 77);
}

TEST(KernelLog, BearsHostileLines) {
  EXPECT_TRUE(parse_kernel_log("<\n<>\n<9999999999999999999999>x\n<3>[\n<3>[] \n").events.empty());
  EXPECT_EQ(only("<3>NVRM: Xid (\n").about, "");
}

TEST(KernelLogProbe, TellsEventsAndHowFarBackItGoes) {
  Capture capture;
  capture.yaml(
      "kernel-log: |\n  <5>[    0.000000] Linux version 6.8\n"
      "  <3>[   80.5] NVRM: Xid (PCI:0000:3b:00): 79, x\n");
  const auto table = read_table(*capture.open(), "kernel_log");
  EXPECT_EQ(table.where("kind", "xid").at("number"), "79");
  EXPECT_EQ(table.where("kind", "oldest").at("first_seconds"), "0");
  EXPECT_EQ(table.where("kind", "oldest").at("count"), "2");
  EXPECT_TRUE(table.gaps.empty());
}

TEST(KernelLogProbe, IsAGapWhereThereIsNoLog) {
  Capture capture;
  EXPECT_THAT(read_table(*capture.open(), "kernel_log").gap_words(), ElementsAre("* * unsupported"));
  capture.file("/etc/os-release", "ID=debian\n");
  EXPECT_THAT(read_table(*capture.open_image(), "kernel_log").gap_words(), ElementsAre("* * not-held"));
}

}  // namespace
}  // namespace gpuharden::test
