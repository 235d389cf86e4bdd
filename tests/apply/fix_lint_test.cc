// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/fix_lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuharden {
namespace {
using testing::ElementsAre;

std::vector<std::string> codes(const Fix& fix) {
  Rule rule;
  rule.fix = fix;
  std::vector<Diagnostic> diagnostics;
  lint_fix(rule, "title: x\nfix: {}\n", diagnostics);
  std::vector<std::string> found;
  for (const auto& diagnostic : diagnostics) {
    found.push_back(diagnostic.code);
    EXPECT_EQ(diagnostic.place.line, 2U);
  }
  return found;
}

TEST(LintFix, NamesWhatIsWrong) {
  EXPECT_THAT(codes({"", {}, "none"}), ElementsAre());
  EXPECT_THAT(codes({"sysctl", {{"name", "a"}, {"value", "b"}}, "none"}), ElementsAre());
  EXPECT_THAT(codes({"sysctl", {{"name", "a"}}, "none"}), ElementsAre("missing-argument"));
  EXPECT_THAT(codes({"sysctl", {{"name", "a"}, {"value", "b"}, {"vaule", "c"}}, "none"}),
              ElementsAre("unknown-argument"));
  EXPECT_THAT(codes({"sysctrl", {}, "none"}), ElementsAre("unknown-action"));
  EXPECT_THAT(codes({"sysctl", {{"name", "a"}, {"value", "b"}}, "some"}), ElementsAre("unknown-risk"));
}

}  // namespace
}  // namespace gpuharden
