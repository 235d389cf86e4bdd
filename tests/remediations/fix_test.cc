// SPDX-License-Identifier: GPL-2.0-or-later
// Every rule with a fix: fails, is fixed, passes; fixed again nothing changes; taken back, the tree is as before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "tests/remediations/fixed_tree.h"
#include "tests/support/snapshot.h"

namespace gpuharden::test {
namespace {

// Fixes that none of the cases can show in a tree of files, and why.
const std::map<std::string, std::string> kNotInATree = {
    {"apt.signed-by", "needs a keyring with a vendor's own key: only its fingerprint is known here"},
    {"firewall.ai-ports-guarded", "needs a kernel: tests/network and tests/apply/kernel_actions_test.cc show it"},
};

bool has_planned(const Plan& plan) {
  return std::any_of(plan.items.begin(), plan.items.end(), [](const PlanItem& item) { return item.skipped.empty(); });
}

bool waits(const Plan& plan) {
  return std::any_of(plan.items.begin(), plan.items.end(), [](const PlanItem& item) { return !item.waits.empty(); });
}

bool is_all_planned(const Plan& plan) {
  return std::all_of(plan.items.begin(), plan.items.end(), [](const PlanItem& item) { return item.skipped.empty(); });
}

// Whether the case shows the fix at work.
bool is_shown(const RuleCase& rule_case) {
  const FixedTree tree(rule_case);
  if (tree.judge().outcome != Outcome::kFail) return false;
  const Plan plan = tree.plan();
  if (!has_planned(plan)) return false;
  const auto before = snapshot_of(tree.root());
  const auto applied = tree.apply(plan, "1");
  EXPECT_EQ(applied.outcome, ExecuteOutcome::kDone) << applied.reason;
  const auto outcome = tree.judge().outcome;
  const bool is_good = outcome == Outcome::kPass || outcome == Outcome::kNotApplicable ||
                       outcome == Outcome::kNotEvaluated || waits(plan);
  EXPECT_TRUE(is_good || !is_all_planned(plan)) << "is " << to_string(outcome) << " after its fix";
  const Plan again = tree.plan();
  EXPECT_FALSE(again.has_changes()) << show_steps(again.steps);
  EXPECT_THAT(tree.roll_back(), testing::IsEmpty());
  EXPECT_EQ(difference(snapshot_of(tree.root()), before), "");
  return is_good;
}

TEST(Fixes, WorkAreIdempotentAndCanBeTakenBack) {
  if (::geteuid() != 0) GTEST_SKIP() << "owners can only be changed as root";
  std::map<std::string, int> shown;
  for (const auto& rule : shipped_catalog().rules) {
    if (!rule.fix.action.empty()) shown[rule.id] = 0;
  }
  for (const auto& rule_case : all_cases()) {
    if (!shown.contains(rule_case.rule) || rule_case.expect != Outcome::kFail) continue;
    SCOPED_TRACE(rule_case.rule + ": " + rule_case.name);
    if (is_shown(rule_case)) ++shown[rule_case.rule];
  }
  int cases = 0;
  for (const auto& [rule, count] : shown) {
    cases += count;
    EXPECT_EQ(count == 0, kNotInATree.contains(rule)) << rule << ": shown by " << count << " cases";
  }
  std::printf("%zu rules with a fix, shown by %d cases\n", shown.size(), cases);
}

// Findings in one file are one edit: the lines keep their meaning while others go.
TEST(Fixes, TenFindingsInOneFileBecomeOneEdit) {
  if (::geteuid() != 0) GTEST_SKIP() << "owners can only be changed as root";
  RuleCase rule_case;
  rule_case.rule = "env.injection-variable";
  std::string text = "# login\n";
  for (int number = 0; number < 10; ++number) {
    text += "export CUDA_INJECTION64_PATH=/tmp/" + std::to_string(number) + ".so\nexport KEEP" +
            std::to_string(number) + "=1\n";
  }
  rule_case.files["/etc/profile"] = text;
  rule_case.files["/etc/environment"] = "LD_AUDIT=/tmp/audit.so\nLANG=C\nLD_PRELOAD=/tmp/x.so\n";
  const FixedTree tree(rule_case);
  ASSERT_EQ(tree.judge().outcome, Outcome::kFail);
  const auto before = snapshot_of(tree.root());
  // Of several assignments only the one in force is a finding: each round uncovers the one before it.
  int rounds = 0;
  while (tree.judge().outcome == Outcome::kFail && rounds < 20) {
    const Plan plan = tree.plan();
    ASSERT_TRUE(plan.has_changes());
    ASSERT_EQ(tree.apply(plan, "round-" + std::to_string(10 + rounds++)).outcome, ExecuteOutcome::kDone);
  }
  EXPECT_NE(tree.judge().outcome, Outcome::kFail);
  const auto after = snapshot_of(tree.root());
  EXPECT_EQ(after.at("/etc/environment").bytes, "LANG=C\n");
  EXPECT_EQ(after.at("/etc/profile").bytes.find("INJECTION"), std::string::npos);
  for (int number = 0; number < 10; ++number)
    EXPECT_NE(after.at("/etc/profile").bytes.find("export KEEP" + std::to_string(number) + "=1\n"), std::string::npos);
  EXPECT_THAT(tree.roll_back(), testing::IsEmpty());
  EXPECT_EQ(difference(snapshot_of(tree.root()), before), "");
}

TEST(Fixes, TenVariablesInOneFileGoInOneStep) {
  if (::geteuid() != 0) GTEST_SKIP() << "owners can only be changed as root";
  RuleCase rule_case;
  rule_case.rule = "env.hsa-override";
  std::string text = "PATH=/usr/bin\n";
  for (int node = 0; node < 10; ++node)
    text += "HSA_OVERRIDE_GFX_VERSION_" + std::to_string(node) + "=10.3.0\nKEEP" + std::to_string(node) + "=1\n";
  rule_case.files["/etc/environment"] = text;
  const FixedTree tree(rule_case);
  const auto before = snapshot_of(tree.root());
  const Plan plan = tree.plan();
  EXPECT_EQ(plan.items.size(), 10U);
  ASSERT_EQ(plan.steps.size(), 1U) << show_steps(plan.steps);
  ASSERT_EQ(tree.apply(plan, "1").outcome, ExecuteOutcome::kDone);
  EXPECT_NE(tree.judge().outcome, Outcome::kFail);
  EXPECT_EQ(snapshot_of(tree.root()).at("/etc/environment").bytes.find("HSA_"), std::string::npos);
  EXPECT_THAT(tree.roll_back(), testing::IsEmpty());
  EXPECT_EQ(difference(snapshot_of(tree.root()), before), "");
}

}  // namespace
}  // namespace gpuharden::test
