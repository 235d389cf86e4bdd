// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/accounts/passwd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ParsePasswd, ReadsEntriesAndNamesTheLinesThatAreNone) {
  std::vector<std::uint32_t> bad_lines;
  const auto users =
      parse_passwd("root:x:0:0:root:/root:/bin/bash\n# local\n\n+::::::\nx:y:z\nme:x:1000:100::/home/me:\n", bad_lines);
  ASSERT_EQ(users.size(), 2U);
  EXPECT_EQ(users[1].uid, 1000U);
  EXPECT_EQ(users[1].line, 6U);
  EXPECT_THAT(bad_lines, ElementsAre(4, 5));
}

TEST(ParseGroup, ListsEachMemberOnce) {
  std::vector<std::uint32_t> bad_lines;
  const auto groups = parse_group("docker:x:990:alice,alice,,bob\nempty:x:5:\n", bad_lines);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_THAT(groups[0].members, ElementsAre("alice", "bob"));
  EXPECT_THAT(groups[1].members, IsEmpty());
  EXPECT_THAT(bad_lines, IsEmpty());
}

TEST(ParseGroup, TakesIdsThatDoNotFitForNoEntry) {
  std::vector<std::uint32_t> bad_lines;
  EXPECT_THAT(parse_group("a:x:4294967296:\nb:x:-1:\nc:x::\n", bad_lines), IsEmpty());
  EXPECT_THAT(bad_lines, ElementsAre(1, 2, 3));
}

// C184: an export of a directory puts everybody in one line.
TEST(ParseGroup, IsLinearInTheMembersOfOneLine) {
  std::string text = "hpc:x:5000:";
  for (int i = 0; i < 200000; ++i) text += concat({"u", std::to_string(i), ","});
  std::vector<std::uint32_t> bad_lines;
  const auto groups = parse_group(text, bad_lines);
  EXPECT_EQ(groups.at(0).members.size(), 200000U);
}

}  // namespace
}  // namespace gpuharden
