// SPDX-License-Identifier: GPL-2.0-or-later
#include "remediations/assignment_line.h"

#include <gtest/gtest.h>

namespace gpuharden {
namespace {

std::string without(std::string_view line, std::string_view name) {
  const auto rest = without_assignment(line, name);
  return rest ? *rest : "refused";
}

TEST(WithoutAssignment, TakesTheWholeLineWhereItDoesNothingElse) {
  EXPECT_EQ(without("export LD_PRELOAD=/tmp/x.so\n", "LD_PRELOAD"), "");
  EXPECT_EQ(without("LD_PRELOAD=\"/tmp/x y.so\"\n", "LD_PRELOAD"), "");
  EXPECT_EQ(without("\texport  A='b c'", "A"), "");
  EXPECT_EQ(without("setenv A b\n", "A"), "");
  EXPECT_EQ(without("set -gx A b\n", "A"), "");
  EXPECT_EQ(without("A DEFAULT=b\n", "A"), "");
}

TEST(WithoutAssignment, RefusesALineThatDoesMore) {
  EXPECT_EQ(without("export A=b B=c\n", "A"), "refused");
  EXPECT_EQ(without("A=b cmd\n", "A"), "refused");
  EXPECT_EQ(without("A=b; cmd\n", "A"), "refused");
  EXPECT_EQ(without("A=b && cmd\n", "A"), "refused");
  EXPECT_EQ(without("A=$(cmd)\n", "A"), "refused");
  EXPECT_EQ(without("A=b \\\n", "A"), "refused");
  EXPECT_EQ(without("A='b\n", "A"), "refused");
  EXPECT_EQ(without("B=b\n", "A"), "refused");
  EXPECT_EQ(without("AA=b\n", "A"), "refused");
  EXPECT_EQ(without("", "A"), "refused");
}

TEST(WithoutAssignment, LeavesTheOthersOfAUnitsLine) {
  EXPECT_EQ(without("Environment=A=b\n", "A"), "");
  EXPECT_EQ(without("Environment=A=b C=d E=f\n", "C"), "Environment=A=b E=f\n");
  EXPECT_EQ(without("Environment=\"A=b c\" D=e\n", "A"), "Environment=D=e\n");
  EXPECT_EQ(without("Environment=D=e \"A=b c\"\n", "A"), "Environment=D=e\n");
  EXPECT_EQ(without("Environment=D=e\n", "A"), "refused");
}

TEST(FindLine, LooksFromTheLineUpwards) {
  EXPECT_EQ(*find_line("A=1\nB=2\nA=1\n", "A=1", 3), 3U);
  EXPECT_EQ(*find_line("A=1\nB=2\nA=3\n", "A=1", 3), 1U);
  EXPECT_FALSE(find_line("A=2\n", "A=1", 1));
}

}  // namespace
}  // namespace gpuharden
