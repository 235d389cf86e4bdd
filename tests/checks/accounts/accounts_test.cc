// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr const char* kRootUser = "root:x:0:0::/root:/bin/bash\n";

// "user how" of the members of one group.
std::vector<std::string> members(const TableText& table, std::string_view group) {
  std::vector<std::string> found;
  for (const auto& row : table.rows) {
    if (row.at("group_name") == group) found.push_back(row.at("user") + " " + row.at("how"));
  }
  return found;
}

TEST(UsersProbe, TellsWhoCanLogIn) {
  Capture capture;
  capture.file("/etc/passwd",
               "root:x:0:0::/root:/bin/bash\nollama:x:998:998::/usr/share/ollama:/usr/sbin/nologin\nold:x:5:5::/:\n");
  const auto table = read_table(*capture.open(), "users");
  EXPECT_EQ(table.where("name", "root").at("login_shell"), "1");
  EXPECT_EQ(table.where("name", "ollama").at("login_shell"), "0");
  EXPECT_EQ(table.where("name", "old").at("login_shell"), "1");
  EXPECT_EQ(table.where("name", "old").at("line"), "3");
}

TEST(UsersProbe, SaysWhichLinesItDoesNotUnderstand) {
  Capture capture;
  capture.file("/etc/passwd", std::string(kRootUser) + "+@admins::::::\n");
  const auto table = read_table(*capture.open(), "users");
  EXPECT_EQ(table.rows.size(), 1U);
  EXPECT_THAT(table.gap_words(), ElementsAre("* * malformed"));
}

TEST(GroupsProbe, IsAGapWhenTheFileCannotBeRead) {
  Capture capture;
  capture.file("/etc/group", "root:x:0:\n").yaml("paths: {/etc/group: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "groups").gap_words(), ElementsAre("* * permission"));
}

// C42.
TEST(GroupMembersProbe, CountsEveryWayIntoAGroup) {
  Capture capture;
  capture
      .file("/etc/group",
            "root:x:0:\ndocker:x:990:\ndocker-users:x:991:bob\npodman-alias:x:990:alice,alice,ghost\nsudo:x:27:carol\n")
      .file("/etc/passwd", std::string(kRootUser) +
                               "solar:x:1500:990::/home/solar:/bin/bash\nalice:x:1000:1000::/home/alice:/bin/bash\n"
                               "bob:x:1001:1001::/home/bob:/bin/bash\ncarol:x:1002:1002::/home/carol:/bin/bash\n")
      .file("/etc/nsswitch.conf", "passwd: files\ngroup: files\n");
  const auto table = read_table(*capture.open(), "group_members");
  EXPECT_THAT(members(table, "docker"), UnorderedElementsAre("solar primary", "alice same-gid", "ghost same-gid"));
  EXPECT_THAT(members(table, "podman-alias"), UnorderedElementsAre("alice listed", "ghost listed", "solar primary"));
  EXPECT_THAT(members(table, "sudo"), ElementsAre("carol listed"));
  EXPECT_EQ(table.where("user", "ghost").at("known"), "0");
  EXPECT_EQ(table.where("how", "same-gid").at("via"), "podman-alias");
  EXPECT_THAT(table.gaps, IsEmpty());
}

TEST(GroupMembersProbe, MergesTheLinesOfOneName) {
  Capture capture;
  capture.file("/etc/group", "render:x:109:bob\nrender:x:110:alice\n").file("/etc/passwd", "eve:x:7:110::/:/bin/sh\n");
  EXPECT_THAT(members(read_table(*capture.open(), "group_members"), "render"),
              UnorderedElementsAre("bob listed", "alice listed", "eve primary"));
}

// C43.
TEST(GroupMembersProbe, AsksTheDirectoryByName) {
  Capture capture;
  capture.file("/etc/group", "root:x:0:\ndocker:x:990:\nrender:x:109:bob\n")
      .file("/etc/passwd", std::string(kRootUser) + "bob:x:1001:1001::/home/bob:/bin/bash\n")
      .file("/etc/nsswitch.conf", "passwd: files sss\ngroup:  files [SUCCESS=merge] sss\n")
      .yaml("directory-groups: {docker: {gid: 990, members: [dora]}, render: {gid: 109, members: [bob, dora]}}");
  const auto table = read_table(*capture.open(), "group_members");
  EXPECT_THAT(members(table, "docker"), ElementsAre("dora directory"));
  EXPECT_THAT(members(table, "render"), ElementsAre("bob listed", "dora directory"));
  EXPECT_THAT(table.gaps, IsEmpty());
}

// C43, C184: a directory that does not answer leaves each group unknown, and is never listed.
TEST(GroupMembersProbe, IsAGapForEachGroupWhenTheDirectoryIsDown) {
  Capture capture;
  capture.file("/etc/group", "docker:x:990:\n")
      .file("/etc/passwd", kRootUser)
      .file("/etc/nsswitch.conf", "group: files sss\n")
      .yaml("directory-groups: down");
  EXPECT_THAT(read_table(*capture.open(), "group_members").gap_words(), testing::Contains("docker * timeout"));
}

TEST(GroupMembersProbe, CannotAskTheDirectoryOfAnImage) {
  Capture capture;
  capture.file("/etc/group", "docker:x:990:\n")
      .file("/etc/passwd", kRootUser)
      .file("/etc/os-release", "ID=debian\n")
      .file("/etc/nsswitch.conf", "passwd: files sss\ngroup: files sss\n");
  EXPECT_THAT(read_table(*capture.open_image(), "group_members").gap_words(), testing::Contains("docker * not-held"));
}

TEST(GroupMembersProbe, HasGapsForWhatCannotBeRead) {
  Capture capture;
  capture.file("/etc/group", "docker:x:990:a\n")
      .file("/etc/passwd", kRootUser)
      .yaml("paths: {/etc/passwd: {error: permission}}");
  const auto table = read_table(*capture.open(), "group_members");
  EXPECT_EQ(table.rows.size(), 1U);
  EXPECT_THAT(table.gap_words(), ElementsAre("* * permission"));
}

TEST(AdduserConfigProbe, SplitsTheWords) {
  Capture capture;
  capture.file("/etc/adduser.conf",
               "# c\nADD_EXTRA_GROUPS=1\nEXTRA_GROUPS=\"users video\"\nEXTRA_GROUPS='users video render'\n");
  const auto table = read_table(*capture.open(), "adduser_config");
  EXPECT_EQ(table.where("name", "EXTRA_GROUPS").at("words"), "[\"users\",\"video\",\"render\"]");
  EXPECT_EQ(table.where("name", "EXTRA_GROUPS").at("line"), "4");
  EXPECT_EQ(table.where("name", "ADD_EXTRA_GROUPS").at("value"), "1");
}

TEST(AdduserConfigProbe, HasNoRowsWithoutTheFile) {
  Capture capture;
  const auto table = read_table(*capture.open(), "adduser_config");
  EXPECT_THAT(table.rows, IsEmpty());
  EXPECT_THAT(table.gaps, IsEmpty());
}

}  // namespace
}  // namespace gpuharden::test
