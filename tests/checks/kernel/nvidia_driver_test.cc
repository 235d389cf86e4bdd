// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/nvidia/nvidia_version.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

constexpr auto* kProprietary =
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024\nGCC version: 13.2.0\n";
constexpr auto* kOpen = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  595.45.04  Release Build  (x)\n";

TEST(NvidiaVersion, TellsTheFlavour) {
  EXPECT_EQ(parse_nvidia_version(kProprietary)->version, "550.90.07");
  EXPECT_FALSE(parse_nvidia_version(kProprietary)->is_open);
  EXPECT_EQ(parse_nvidia_version(kOpen)->version, "595.45.04");
  EXPECT_TRUE(parse_nvidia_version(kOpen)->is_open);
  EXPECT_FALSE(parse_nvidia_version("NVRM version: none"));
}

TEST(NvidiaVersion, IsInALibrarysName) {
  EXPECT_EQ(version_of_library("libcuda.so.550.107.02", "libcuda"), "550.107.02");
  EXPECT_FALSE(version_of_library("libcuda.so.1", "libcuda"));
  EXPECT_FALSE(version_of_library("libcudart.so.12.4", "libcuda"));
}

// C150
TEST(NvidiaDriverProbe, TellsModuleAndLibraryVersions) {
  Capture capture;
  capture.file("/proc/driver/nvidia/version", kProprietary)
      .folder("/sys/module")
      .file("/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.550.107.02", "")
      .file("/usr/lib/x86_64-linux-gnu/libcuda.so.550.90.07", "")
      .file("/usr/lib/x86_64-linux-gnu/libcuda.so.550.107.02", "")
      .link("/usr/lib/x86_64-linux-gnu/libcuda.so.1", "libcuda.so.550.107.02");
  const auto table = read_table(*capture.open(), "nvidia_driver");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("loaded_version"), "550.90.07");
  EXPECT_EQ(table.rows[0].at("flavour"), "proprietary");
  EXPECT_EQ(table.rows[0].at("library_version"), "550.107.02");
  EXPECT_EQ(table.rows[0].at("cuda_library"), "/usr/lib/x86_64-linux-gnu/libcuda.so.550.107.02");
}

TEST(NvidiaDriverProbe, HasNoRowWithoutATrace) {
  Capture capture;
  capture.folder("/proc").folder("/sys/module");
  const auto table = read_table(*capture.open(), "nvidia_driver");
  EXPECT_TRUE(table.rows.empty() && table.gaps.empty());
}

TEST(NvidiaDriverProbe, DoesNotKnowWhatItCannotRead) {
  Capture capture;
  capture.file("/proc/driver/nvidia/version", kOpen)
      .folder("/sys/module")
      .yaml("paths: {/proc/driver/nvidia/version: {error: permission}}");
  const auto table = read_table(*capture.open(), "nvidia_driver");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("loaded_version"), "UNREAD");
}

TEST(NvidiaDriverProbe, KnowsTheLibrariesOfAnImage) {
  Capture capture;
  capture.file("/etc/os-release", "ID=debian\n")
      .file("/usr/lib64/libcuda.so.570.10.01", "")
      .link("/usr/lib64/libcuda.so.1", "libcuda.so.570.10.01");
  const auto table = read_table(*capture.open_image(), "nvidia_driver");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("library_version"), "570.10.01");
  EXPECT_EQ(table.rows[0].at("loaded_version"), "UNREAD");
}

}  // namespace
}  // namespace gpuharden::test
