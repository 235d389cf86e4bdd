// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/unit_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuharden::test {
namespace {

// "section|name|value|line" of each assignment.
std::vector<std::string> read(std::string text) {
  std::vector<std::string> out;
  const auto parsed = parse_unit_text(std::move(text));
  for (const auto& one : parsed->assignments) {
    out.push_back(std::string(one.section) + "|" + std::string(one.name) + "|" + std::string(one.value) + "|" +
                  std::to_string(one.line));
  }
  return out;
}

TEST(UnitFile, ReadsSectionsAndAssignments) {
  EXPECT_THAT(read("# a\n[Unit]\nDescription = two words \n\n[Service]\n;ExecStart=/no\n  User=x\n"),
              testing::ElementsAre("Unit|Description|two words|3", "Service|User|x|7"));
}

TEST(UnitFile, JoinsContinuedLinesAndSkipsCommentsBetween) {
  EXPECT_THAT(read("[Service]\nExecStart=/bin/a \\\n# comment\n; another\n   -b \\\n -c\nUser=x\n"),
              testing::ElementsAre("Service|ExecStart|/bin/a  -b  -c|2", "Service|User|x|7"));
}

TEST(UnitFile, ABlankLineEndsAContinuation) {
  EXPECT_THAT(read("[S]\nA=b \\\n\nC=d\n"), testing::ElementsAre("S|A|b|2", "S|C|d|4"));
}

TEST(UnitFile, AnEscapedBackslashDoesNotContinue) {
  EXPECT_THAT(read("[S]\nA=b\\\\\nC=d\\"), testing::ElementsAre("S|A|b\\\\|2", "S|C|d|3"));
}

TEST(UnitFile, CarriageReturnAndNulEndLines) {
  EXPECT_THAT(read(std::string("[S]\r\nA=b\r\nC=d\0E=f\n\n\nG=h", 23)),
              testing::ElementsAre("S|A|b|2", "S|C|d|3", "S|E|f|3", "S|G|h|6"));
}

TEST(UnitFile, RemembersLinesThatSystemdIgnores) {
  const auto parsed = parse_unit_text("[S]\nnonsense\n=x\nA=\n");
  EXPECT_THAT(parsed->bad_lines, testing::ElementsAre(2U, 3U));
  ASSERT_EQ(parsed->assignments.size(), 1U);
  EXPECT_EQ(parsed->assignments[0].value, "");
}

TEST(UnitFile, SkipsAByteOrderMarkAndSurvivesVeryLongLines) {
  const auto parsed = parse_unit_text("\xEF\xBB\xBF[S]\nA=" + std::string(1U << 20U, 'x'));
  ASSERT_EQ(parsed->assignments.size(), 1U);
  EXPECT_EQ(parsed->assignments[0].value.size(), std::size_t{1U << 20U});
}

}  // namespace
}  // namespace gpuharden::test
