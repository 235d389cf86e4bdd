// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/amd/rocm_version.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(RocmVersion, TheBuildIsLeftOut) {
  EXPECT_EQ(parse_rocm_version("7.2.1\n"), "7.2.1");
  EXPECT_EQ(parse_rocm_version("7.2.1-43\n"), "7.2.1");
  EXPECT_EQ(parse_rocm_version("6.2.0-66~24.04"), "6.2.0");
}

TEST(RocmVersion, WhatIsNoVersionIsNothing) {
  for (const auto* text : {"", "unknown", "7", "7.2.x", "7.2.1 beta", "7.2.1-43\n7.2.2", "-7.2", "7..2", "\xff.1"})
    EXPECT_EQ(parse_rocm_version(text), std::nullopt) << text;
}

TEST(RocmInstallsProbe, ReleasesLieSideBySide) {
  Capture capture;
  capture.file("/opt/rocm-7.2.1/.info/version", "7.2.1-43\n")
      .file("/opt/rocm-6.4.4/.info/version", "6.4.4\n")
      .link("/opt/rocm", "/etc/alternatives/rocm")
      .link("/etc/alternatives/rocm", "/opt/rocm-7.2.1");
  const auto table = read_table(*capture.open(), "rocm_installs");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_THAT(table.gaps, IsEmpty());
  const auto& current = table.where("path", "/opt/rocm-7.2.1");
  EXPECT_EQ(current.at("version"), "7.2.1");
  EXPECT_EQ(current.at("version_text"), "7.2.1-43");
  EXPECT_EQ(current.at("is_default"), "1");
  EXPECT_EQ(current.at("changeable_by"), "NULL");
  EXPECT_EQ(table.where("path", "/opt/rocm-6.4.4").at("is_default"), "0");
}

TEST(RocmInstallsProbe, ReleasesMayLieInOneCommonFolder) {
  Capture capture;
  capture.file("/opt/rocm/core-7.14/.info/version", "7.14.0\n");
  const auto table = read_table(*capture.open(), "rocm_installs");
  EXPECT_EQ(table.where("path", "/opt/rocm/core-7.14").at("version"), "7.14.0");
  EXPECT_EQ(table.where("path", "/opt/rocm/core-7.14").at("is_default"), "1");
}

TEST(RocmInstallsProbe, WithoutTheFileAnotherOrTheNameSpeaks) {
  Capture capture;
  capture.file("/opt/rocm-6.1.0/.info/version-dev", "6.1.0-82\n").file("/opt/rocm-5.7.1/lib/libx.so", "");
  const auto table = read_table(*capture.open(), "rocm_installs");
  EXPECT_EQ(table.where("path", "/opt/rocm-6.1.0").at("file"), "/opt/rocm-6.1.0/.info/version-dev");
  EXPECT_EQ(table.where("path", "/opt/rocm-5.7.1").at("version"), "5.7.1");
  EXPECT_EQ(table.where("path", "/opt/rocm-5.7.1").at("file"), "NULL");
}

TEST(RocmInstallsProbe, WhatIsNoReleaseIsNoRow) {
  Capture capture;
  capture.folder("/opt/rocm-empty").file("/opt/rocm.txt", "7.2.1").link("/opt/rocm", "/opt/rocm-gone");
  const auto table = read_table(*capture.open(), "rocm_installs");
  EXPECT_THAT(table.rows, IsEmpty());
  EXPECT_THAT(table.gaps, IsEmpty());
}

TEST(RocmInstallsProbe, WhoElseCanChangeItIsTold) {
  Capture capture;
  capture.file("/opt/rocm-7.2.1/.info/version", "7.2.1\n").yaml("paths: {/opt/rocm-7.2.1: {uid: 1000}}");
  const auto table = read_table(*capture.open(), "rocm_installs");
  EXPECT_THAT(table.rows.at(0).at("changeable_by"), testing::HasSubstr("1000"));
}

TEST(RocmInstallsProbe, WhatCannotBeReadIsAGap) {
  Capture capture;
  capture.file("/opt/rocm-7.2.1/.info/version", "7.2.1\n")
      .file("/opt/rocm-7.2.0/.info/version", "\xff\xfe")
      .yaml("paths: {/opt/rocm-7.2.1/.info/version: {error: permission}}");
  const auto table = read_table(*capture.open(), "rocm_installs");
  EXPECT_THAT(table.gap_words(), Contains("/opt/rocm-7.2.1 version permission"));
  EXPECT_THAT(table.gap_words(), Contains("/opt/rocm-7.2.0 version malformed"));
  Capture closed;
  closed.yaml("paths: {/opt: {type: directory, error: permission}}");
  EXPECT_THAT(read_table(*closed.open(), "rocm_installs").gap_words(), ElementsAre("* * permission"));
}

}  // namespace
}  // namespace gpuharden::test
