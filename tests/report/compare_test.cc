// SPDX-License-Identifier: GPL-2.0-or-later
// What is new, fixed or no longer seen, and the gate on new findings only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/report/compare.h"
#include "tests/report/sample.h"
#include "tests/support/schema.h"

namespace gpuharden::test {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

RuleFinding& rule_of(Report& report, const std::string& id) {
  return *std::find_if(report.rules.begin(), report.rules.end(),
                       [&](const RuleFinding& finding) { return finding.rule.id == id; });
}

// Kind of the change of each rule that has one but "same".
std::map<std::string, std::string> kinds(const Report& before, const Report& after) {
  std::map<std::string, std::string> out;
  for (const auto& change : compare(before, after).changes) {
    if (change.kind != ChangeKind::kSame) out[change.rule] += std::string(to_string(change.kind));
  }
  return out;
}

using Kinds = std::map<std::string, std::string>;

TEST(Compare, OfAReportWithItselfFindsNothing) {
  EXPECT_EQ(kinds(sample_report(), sample_report()), Kinds{});
  EXPECT_FALSE(is_worse(compare(sample_report(), sample_report()), Severity::kInfo));
}

void make_pass(RuleFinding& finding) {
  finding.outcome = Outcome::kPass;
  for (auto& horizon : finding.horizons) {
    horizon.outcome = Outcome::kPass;
    horizon.rows.clear();
    horizon.counts = {{Outcome::kPass, 1}};
  }
}

TEST(Compare, TellsNewFromFixed) {
  Report fixed = sample_report();
  make_pass(rule_of(fixed, "env.injection-variable"));
  EXPECT_EQ(kinds(sample_report(), fixed), (Kinds{{"env.injection-variable", "fixed"}}));
  EXPECT_FALSE(is_worse(compare(sample_report(), fixed), Severity::kInfo));
  EXPECT_EQ(kinds(fixed, sample_report()), (Kinds{{"env.injection-variable", "new"}}));
  EXPECT_TRUE(is_worse(compare(fixed, sample_report()), Severity::kCritical));
}

// What is not there because nobody could look is not fixed.
TEST(Compare, NeverCallsFixedWhatCouldNotBeSeen) {
  Report blind = sample_report();
  auto& finding = rule_of(blind, "env.injection-variable");
  make_pass(finding);
  finding.outcome = finding.horizons[0].outcome = Outcome::kUnknown;
  finding.horizons[0].gaps = {{"env_assignments", "*", "*", ErrorCode::kPermission, "reading /etc: permission denied"}};
  EXPECT_EQ(kinds(sample_report(), blind), (Kinds{{"env.injection-variable", "newunseen"}}));
  Report narrow = sample_report();
  std::erase_if(narrow.rules, [](const RuleFinding& f) { return f.rule.id == "env.injection-variable"; });
  EXPECT_EQ(kinds(sample_report(), narrow), (Kinds{{"env.injection-variable", "unseen"}}));
  EXPECT_TRUE(is_worse(compare(sample_report(), narrow), Severity::kInfo));
}

TEST(Compare, AWaiverThatEndedMakesItWorse) {
  Report ended = sample_report();
  auto& finding = rule_of(ended, "kernel.kexec");
  finding.outcome = finding.horizons[0].outcome = Outcome::kFail;
  finding.horizons[0].counts = {{Outcome::kFail, 1}};
  finding.horizons[0].waiver.reset();
  const Comparison comparison = compare(sample_report(), ended);
  EXPECT_TRUE(is_worse(comparison, Severity::kLow));
  EXPECT_FALSE(is_worse(comparison, Severity::kMedium));
  EXPECT_FALSE(is_worse(compare(ended, sample_report()), Severity::kInfo));
}

TEST(Compare, MoreRowsThanBeforeAreWorse) {
  Report more = sample_report();
  rule_of(more, "dkms.next-kernel").horizons[1].counts[Outcome::kFail] = 13;
  EXPECT_EQ(kinds(sample_report(), more), (Kinds{{"dkms.next-kernel", "worse"}}));
}

TEST(Compare, TellsSeveralOfOneFingerprintApart) {
  Report two = sample_report();
  auto& horizon = rule_of(two, "env.injection-variable").horizons[0];
  horizon.rows.push_back(horizon.rows[0]);
  horizon.counts[Outcome::kFail] = 2;
  EXPECT_EQ(kinds(sample_report(), two), (Kinds{{"env.injection-variable", "new"}}));
}

int exit_code_against(const Report& baseline, Report report, bool allow_unknown = false) {
  mark_baseline(baseline, report);
  return exit_code_of_new(report, allow_unknown);
}

TEST(Baseline, OnlyWhatItDoesNotHaveDecides) {
  Report quiet = sample_report();
  std::erase_if(quiet.rules, [](const RuleFinding& f) { return f.outcome == Outcome::kError; });
  EXPECT_EQ(exit_code_against(quiet, quiet), 0);
  Report baseline = quiet;
  make_pass(rule_of(baseline, "env.injection-variable"));
  EXPECT_EQ(exit_code_against(baseline, quiet), 2);
  baseline = quiet;
  make_pass(rule_of(baseline, "env.startup-file-type"));
  EXPECT_EQ(exit_code_against(baseline, quiet), 1) << "what is not known is new";
  EXPECT_EQ(exit_code_against(baseline, quiet, true), 0);
}

TEST(Baseline, AnErrorIsNoVerdictHoweverOld) { EXPECT_EQ(exit_code_against(sample_report(), sample_report()), 1); }

TEST(Baseline, IsNotedInEveryFormatThatHasAPlaceForIt) {
  Report report = sample_report();
  Report baseline = sample_report();
  make_pass(rule_of(baseline, "env.injection-variable"));
  mark_baseline(baseline, report);
  const Json json = Json::parse(write_json(report, {}));
  EXPECT_EQ(json["rules"][0]["horizons"][0]["rows"][0]["baseline"], "new");
  EXPECT_THAT(write_sarif(report, {}), HasSubstr("\"baselineState\": \"unchanged\""));
  EXPECT_THAT(write_sarif(report, {}), HasSubstr("\"baselineState\": \"new\""));
  EXPECT_THAT(write_csv(report, {}), HasSubstr(",new,"));
  EXPECT_THAT(write_html(report, {}), HasSubstr("New since the baseline."));
}

TEST(Diff, IsForPeopleAndPrograms) {
  Report after = sample_report();
  make_pass(rule_of(after, "env.injection-variable"));
  after.host.name = "gpu\x1b[31m";
  const Comparison comparison = compare(sample_report(), after);
  const std::string text = write_diff_text(sample_report(), after, comparison);
  EXPECT_THAT(text, HasSubstr("fixed    critical env.injection-variable   fail -> none\n"));
  EXPECT_THAT(text, HasSubstr("0 new   0 worse   0 unseen   1 fixed"));
  EXPECT_THAT(text, HasSubstr("note: the host differs"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  const Json json = Json::parse(write_diff_json(sample_report(), after, comparison));
  EXPECT_EQ(json["counts"]["fixed"], 1);
}

constexpr const char* kDiffSchema = "docs/diff.schema.json";

TEST(Diff, FollowsItsSchemaAndHasNoKeyBesides) {
  const std::vector<std::pair<Report, Report>> pairs = {{sample_report(), hostile_report()},
                                                        {hostile_report(), sample_report()}};
  for (const auto& [before, after] : pairs) {
    const Json json = Json::parse(write_diff_json(before, after, compare(before, after)));
    EXPECT_EQ(violations_or_undescribed(json, kDiffSchema), "");
    EXPECT_GT(json["changes"].size(), 5U);
  }
}

TEST(Diff, TheSchemaRefusesWhatIsWrong) {
  const Json good =
      Json::parse(write_diff_json(sample_report(), hostile_report(), compare(sample_report(), hostile_report())));
  for (const auto& [pointer, value] : std::vector<std::pair<std::string, Json>>{{"/format", "gpuharden.diff/2"},
                                                                                {"/changes/0/kind", "better"},
                                                                                {"/changes/0/identity", "x"},
                                                                                {"/changes/0/before", "pass"},
                                                                                {"/counts/gone", 1},
                                                                                {"/before/exit_code", 7}}) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    EXPECT_NE(violations(bad, kDiffSchema), "") << pointer;
  }
}

}  // namespace
}  // namespace gpuharden::test
