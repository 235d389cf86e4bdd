// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

constexpr const char* kStatus = "/var/lib/dpkg/status";

TEST(PackagesProbe, ReadsTheStatusFile) {
  Capture capture;
  capture.file(kStatus,
               "Package: nvidia-driver-535\nStatus: hold ok installed\nArchitecture: amd64\nSource: "
               "nvidia-graphics-drivers-535 (535.1-0)\n"
               "Version: 535.309.01-0ubuntu1\nMaintainer: Someone <x@example.invalid>\nDescription: driver\n Package: "
               "not-this\n .\n\n"
               "Package: old\nStatus: deinstall ok config-files\nVersion: 1:2-3");
  const auto table = read_table(*capture.open(), "packages");
  ASSERT_EQ(table.rows.size(), 2U);
  const auto& driver = table.rows[0];
  EXPECT_EQ(driver.at("held") + driver.at("installed") + driver.at("gpu"), "111");
  EXPECT_EQ(driver.at("source") + " " + driver.at("source_version"), "nvidia-graphics-drivers-535 535.1-0");
  EXPECT_EQ(table.rows[1].at("state") + table.rows[1].at("installed"), "config-files0");
  EXPECT_EQ(table.rows[1].at("source_version"), "1:2-3");
  EXPECT_EQ(table.rows[1].at("line"), "11");
}

TEST(PackagesProbe, ReadsImagesWithoutDpkg) {
  Capture capture;
  capture.file("/var/lib/dpkg/status.d/libssl3", "Package: libssl3\nArchitecture: amd64\nVersion: 3.0\n");
  capture.file("/var/lib/dpkg/status.d/libssl3.md5sums", "0123  usr/lib/x\n");
  const auto table = read_table(*capture.open(), "packages");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("state"), "installed");
  EXPECT_THAT(table.gaps, testing::IsEmpty());
}

TEST(PackagesProbe, KeepsPackagesOfSeveralArchitecturesApart) {
  Capture capture;
  capture.file(kStatus, "Package: a\nArchitecture: amd64\n\n\n\nPackage: a\nArchitecture: i386\n\n");
  EXPECT_EQ(read_table(*capture.open(), "packages").rows.size(), 2U);
}

TEST(PackagesProbe, IsAGapWhenThereIsNoStatusFile) {
  Capture capture;
  EXPECT_THAT(read_table(*capture.open(), "packages").gap_words(), testing::ElementsAre("* * not-found"));
}

TEST(PackagesProbe, IsAGapWhenItMakesNoSense) {
  Capture capture;
  capture.file(kStatus, "Package: a\nVersion: 1\n\nVersion: 2\n\nno colon\n");
  const auto table = read_table(*capture.open(), "packages");
  EXPECT_EQ(table.rows.size(), 1U);
  EXPECT_THAT(table.gap_words(), testing::ElementsAre("* * malformed"));
}

}  // namespace
}  // namespace gpuharden::test
