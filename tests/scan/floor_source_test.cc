// SPDX-License-Identifier: GPL-2.0-or-later
// What passes by floors that are too old, or by a clock that cannot be right, is unknown.
#include "engine/scan/floor_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/date.h"
#include "tests/support/fake_source.h"

namespace gpuharden::test {
namespace {

using testing::HasSubstr;

// "driver" 2 must be at 2.5; 1 ended with June 2026.
std::vector<FloorFile> floors() {
  FloorFile file;
  file.component = "driver";
  file.scheme = "dotted";
  file.as_of = "2026-06-01";
  Floor old;
  old.branch = "1";
  old.scheme = "dotted";
  old.fixed = "1.9";
  old.eol = "2026-06-30";
  Floor current;
  current.branch = "2";
  current.scheme = "dotted";
  current.fixed = "2.5";
  current.cves = {"CVE-2026-1", "CVE-2026-2"};
  file.floors = {old, current};
  return {file};
}

class FloorSourceTest : public testing::Test {
 protected:
  FloorSourceTest() { source_.use(files_, 180); }

  void set_today(std::string_view date) {
    tables_.row("clock", {{"now", Value::of(*parse_date(date) * kSecondsPerDay)}, {"today", Value::of(date)}});
  }
  RuleFinding judge(const std::string& version) {
    return judge_sql("SELECT f.branch AS subject, f.ended = 0 AND version_lt(f.scheme, '" + version +
                     "', f.fixed) = 0 AS ok FROM floors('driver') f WHERE in_branch('" + version + "', f.branch)");
  }
  RuleFinding judge_sql(const std::string& sql) {
    Rule rule = make_rule(sql);
    rule.fails_by = FailsBy::kPresence;
    return evaluate(rule, source_);
  }
  static std::string gap_of(const RuleFinding& finding) {
    const auto& gaps = finding.horizons.at(0).gaps;
    return gaps.empty() ? std::string() : gaps.front().sentence;
  }

  FakeSource tables_;
  std::vector<FloorFile> files_ = floors();
  FloorSource source_{tables_};
};

TEST_F(FloorSourceTest, JudgesByTheFloorOfTheBranch) {
  set_today("2026-06-15");
  EXPECT_EQ(judge("2.5").outcome, Outcome::kPass);
  EXPECT_EQ(judge("2.4").outcome, Outcome::kFail);
  EXPECT_EQ(judge("3.0").outcome, Outcome::kNotApplicable) << "no row for an unknown branch";
}

TEST_F(FloorSourceTest, ABranchEndsWithItsLastDay) {
  set_today("2026-06-30");
  EXPECT_EQ(judge("1.9").outcome, Outcome::kPass);
  FakeSource later;
  later.row("clock", {{"now", Value::of(*parse_date("2026-07-01") * kSecondsPerDay)}});
  FloorSource source(later);
  source.use(files_, 180);
  Rule rule = make_rule("SELECT branch AS subject, ended = 0 AS ok FROM floors('driver') WHERE branch = '1'");
  EXPECT_EQ(evaluate(rule, source).outcome, Outcome::kFail);
}

TEST_F(FloorSourceTest, FloorsThatAreTooOldMakeNoPassButAFail) {
  set_today("2026-11-29");
  const auto passed = judge("2.5");
  EXPECT_EQ(passed.outcome, Outcome::kUnknown);
  EXPECT_EQ(gap_of(passed), "the floors of driver are as of 2026-06-01, 181 days old; the profile allows 180");
  EXPECT_EQ(judge("2.4").outcome, Outcome::kFail);
}

TEST_F(FloorSourceTest, TheProfileSaysHowOldTheyMayBe) {
  set_today("2026-08-31");
  source_.use(files_, 90);
  EXPECT_EQ(judge("2.5").outcome, Outcome::kUnknown);
  source_.use(files_, 91);
  EXPECT_EQ(judge("2.5").outcome, Outcome::kPass);
}

TEST_F(FloorSourceTest, AClockBeforeTheFloorsIsAGapOfAllThatAsksIt) {
  set_today("2026-05-31");
  EXPECT_THAT(gap_of(judge("2.5")), HasSubstr("the clock says 2026-05-31, before the floors of driver were written"));
  const auto asked = judge_sql("SELECT today AS subject, 1 AS ok FROM clock");
  EXPECT_EQ(asked.outcome, Outcome::kUnknown);
  EXPECT_THAT(gap_of(asked), HasSubstr("before the rules were written (2026-06-01)"));
}

TEST_F(FloorSourceTest, AClockThatIsNotKnownIsAGap) {
  tables_.failure("clock", "the reader died");
  EXPECT_EQ(judge("2.5").outcome, Outcome::kUnknown);
  EXPECT_THAT(gap_of(judge("2.5")), HasSubstr("the reader died"));
}

TEST_F(FloorSourceTest, AnUnknownComponentIsAGap) {
  set_today("2026-06-15");
  const auto finding = judge_sql("SELECT branch AS subject, 1 AS ok FROM floors('drivre')");
  EXPECT_EQ(finding.outcome, Outcome::kUnknown);
  EXPECT_EQ(gap_of(finding), "there are no floors of \"drivre\"");
}

TEST_F(FloorSourceTest, WhatIsNotAskedMakesNothingUnknown) {
  set_today("2030-01-01");
  EXPECT_EQ(
      judge_sql("SELECT o.id AS subject, f.ended = 0 AS ok FROM os_release o LEFT JOIN floors('driver') f").outcome,
      Outcome::kNotApplicable);
}

TEST_F(FloorSourceTest, TheClockIsReadOnce) {
  set_today("2026-06-15");
  judge("2.5");
  judge_sql("SELECT today AS subject, 1 AS ok FROM clock");
  EXPECT_EQ(std::count(tables_.asked.begin(), tables_.asked.end(), "clock"), 1);
}

}  // namespace
}  // namespace gpuharden::test
