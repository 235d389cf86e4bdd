// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

TEST(OsReleaseProbe, ReadsTheEtcFileFirst) {
  Capture capture;
  capture.file("/etc/os-release", "# mine\nID=ubuntu\nVERSION_ID=\"24.04\"\nVERSION='24.04.4 LTS'\nID=debian\n")
      .file("/usr/lib/os-release", "ID=other\n");
  const auto table = read_table(*capture.open(), "os_release");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("id"), "debian");
  EXPECT_EQ(table.rows[0].at("version_id"), "24.04");
  EXPECT_EQ(table.rows[0].at("codename"), "NULL");
}

TEST(OsReleaseProbe, FollowsTheUsualLinkInsideTheRoot) {
  Capture capture;
  capture.file("/usr/lib/os-release", "ID=debian\n").link("/etc/os-release", "../usr/lib/os-release");
  EXPECT_EQ(read_table(*capture.open(), "os_release").rows.at(0).at("id"), "debian");
}

TEST(OsReleaseProbe, IsAGapWhenItCannotBeRead) {
  Capture capture;
  capture.file("/etc/os-release", "ID=debian\n").yaml("paths: {/etc/os-release: {error: permission}}");
  const auto table = read_table(*capture.open(), "os_release");
  EXPECT_TRUE(table.rows.empty());
  EXPECT_THAT(table.gap_words(), testing::ElementsAre("* * permission"));
}

TEST(OsReleaseProbe, IsAGapWhenThereIsNone) {
  Capture capture;
  EXPECT_THAT(read_table(*capture.open(), "os_release").gap_words(), testing::ElementsAre("* * not-found"));
}

}  // namespace
}  // namespace gpuharden::test
