// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;

TEST(FilesProbe, MatchesAPattern) {
  Capture capture;
  capture.file("/usr/bin/nvidia-modprobe", "x")
      .file("/usr/bin/other", "y")
      .link("/usr/bin/nvidia-link", "/nowhere")
      .yaml("paths:\n  /usr/bin/nvidia-modprobe: {mode: \"4755\", uid: 0, mtime: 7}\n");
  const auto table = read_table(*capture.open(), "files", {{"glob", "/usr/bin/nvidia-*"}});
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].at("link_target"), "/nowhere");
  EXPECT_EQ(table.rows[0].at("type"), "symlink");
  EXPECT_EQ(table.rows[1].at("is_setuid"), "1");
  EXPECT_EQ(table.rows[1].at("changeable_by"), "NULL");
  EXPECT_TRUE(table.gaps.empty());
}

TEST(FilesProbe, TellsWhoElseCanChangeAFile) {
  Capture capture;
  capture.file("/srv/lib/a.so", "x").yaml("paths: {/srv/lib: {mode: \"0777\"}}");
  const auto table = read_table(*capture.open(), "files", {{"glob", "/srv/lib/a.so"}});
  EXPECT_EQ(table.rows.at(0).at("changeable_by"), "/srv/lib is world-writable (0777)");
}

TEST(FilesProbe, IsAGapWhereAFolderCannotBeListed) {
  Capture capture;
  capture.file("/etc/keys/a", "x").yaml("paths: {/etc/keys: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "files", {{"glob", "/etc/keys/*"}}).gap_words(),
              ElementsAre("* * permission"));
}

TEST(FilesProbe, HasNoRowsForWhatIsNotThere) {
  Capture capture;
  const auto table = read_table(*capture.open(), "files", {{"glob", "/opt/*/x"}});
  EXPECT_TRUE(table.rows.empty());
  EXPECT_TRUE(table.gaps.empty());
}

}  // namespace
}  // namespace gpuharden::test
