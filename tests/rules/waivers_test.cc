// SPDX-License-Identifier: GPL-2.0-or-later
// What a waiver covers, and above all what it does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/date.h"
#include "engine/rules/waivers.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kToday = 20'000;

RowFinding row(std::string subject, Outcome outcome, std::string file = "") {
  RowFinding out;
  out.subject = std::move(subject);
  out.outcome = outcome;
  out.file = std::move(file);
  return out;
}

// One rule with one horizon that has these rows.
Report report_of(std::vector<RowFinding> rows, Outcome outcome) {
  Report report;
  report.host.name = "gpu-07";
  RuleFinding finding;
  finding.rule.id = "ports.ollama";
  finding.outcome = outcome;
  HorizonFinding horizon;
  horizon.name = "now";
  horizon.outcome = outcome;
  for (const auto& each : rows) ++horizon.counts[each.outcome];
  horizon.rows = std::move(rows);
  finding.horizons.push_back(std::move(horizon));
  report.rules.push_back(std::move(finding));
  return report;
}

Waiver waiver(std::string subject = "", std::int64_t expires = kToday + 100) {
  Waiver out;
  out.rule = "ports.ollama";
  out.reason = "behind the firewall";
  out.owner = "alice";
  out.expires = expires;
  out.subject = std::move(subject);
  out.place.file = "w.yaml";
  return out;
}

Outcome outcome_with(const Waiver& waiver, Report report) {
  apply_waivers({waiver}, {kToday, {}}, report);
  EXPECT_EQ(report.rules[0].outcome, report.rules[0].horizons[0].outcome);
  return report.rules[0].outcome;
}

const Gap kGap{"listening_sockets", "*", "*", ErrorCode::kPermission, "reading /proc: permission denied"};

TEST(Waivers, CoverRowsByGlobs) {
  const auto two = [] {
    return report_of({row("a:1", Outcome::kFail, "/etc/a"), row("b:1", Outcome::kFail, "/etc/b")}, Outcome::kFail);
  };
  EXPECT_EQ(outcome_with(waiver(), two()), Outcome::kWaived);
  EXPECT_EQ(outcome_with(waiver("*:1"), two()), Outcome::kWaived);
  EXPECT_EQ(outcome_with(waiver("a:*"), two()), Outcome::kFail);
  Waiver file = waiver();
  file.file = "/etc/*";
  EXPECT_EQ(outcome_with(file, two()), Outcome::kWaived);
  file.file = "/etc/a";
  EXPECT_EQ(outcome_with(file, two()), Outcome::kFail);
  Waiver host = waiver();
  host.host = "gpu-08";
  EXPECT_EQ(outcome_with(host, two()), Outcome::kFail);
  Waiver horizon = waiver();
  horizon.horizon = "next_boot";
  EXPECT_EQ(outcome_with(horizon, two()), Outcome::kFail);
  Waiver other = waiver();
  other.rule = "ports.ray";
  EXPECT_EQ(outcome_with(other, two()), Outcome::kFail);
}

TEST(Waivers, StayVisibleWithWhatTheyWaive) {
  Report report = report_of({row("a", Outcome::kFail), row("b", Outcome::kUnknown)}, Outcome::kFail);
  apply_waivers({waiver("?")}, {kToday, {}}, report);
  const auto& horizon = report.rules[0].horizons[0];
  EXPECT_EQ(horizon.rows[0].waiver->owner, "alice");
  EXPECT_EQ(horizon.rows[0].waiver->was, Outcome::kFail);
  EXPECT_EQ(horizon.rows[1].waiver->was, Outcome::kUnknown);
  EXPECT_EQ(horizon.counts, (std::map<Outcome, std::int64_t>{{Outcome::kWaived, 2}}));
  EXPECT_EQ(report.waivers[0].state, WaiverState::kActive);
  EXPECT_EQ(report.waivers[0].matched, 2);
}

TEST(Waivers, NeverCoverAnError) {
  EXPECT_EQ(outcome_with(waiver(), report_of({row("a", Outcome::kError)}, Outcome::kError)), Outcome::kError);
  EXPECT_EQ(outcome_with(waiver(), report_of({}, Outcome::kError)), Outcome::kError);
  EXPECT_EQ(outcome_with(waiver(), report_of({row("a", Outcome::kFail), row("b", Outcome::kError)}, Outcome::kFail)),
            Outcome::kError);
  Report cut_off = report_of({row("a", Outcome::kFail)}, Outcome::kFail);
  cut_off.rules[0].horizons[0].cut_off = true;
  EXPECT_EQ(outcome_with(waiver(), cut_off), Outcome::kError) << "nobody saw the other rows";
}

// A waiver of one thing says nothing about what could not be seen.
TEST(Waivers, OfOneThingLeaveWhatWasNotSeenUnknown) {
  Report report = report_of({row("a", Outcome::kFail)}, Outcome::kFail);
  report.rules[0].horizons[0].gaps = {kGap};
  EXPECT_EQ(outcome_with(waiver("a"), report), Outcome::kUnknown);
  EXPECT_EQ(outcome_with(waiver(), report), Outcome::kWaived) << "the rule as a whole";
  Report unknown = report_of({row("a", Outcome::kUnknown)}, Outcome::kUnknown);
  unknown.rules[0].horizons[0].gaps = {kGap};
  EXPECT_EQ(outcome_with(waiver("a"), unknown), Outcome::kUnknown);
  EXPECT_EQ(outcome_with(waiver(), unknown), Outcome::kWaived);
}

// Where a fail rests on what was not seen, failing rows make an unknown horizon: waiving one of two leaves it so.
TEST(Waivers, NeverMakeAnythingWorse) {
  Report report = report_of({row("a", Outcome::kFail), row("b", Outcome::kFail)}, Outcome::kUnknown);
  report.rules[0].horizons[0].gaps = {kGap};
  EXPECT_EQ(outcome_with(waiver("a"), report), Outcome::kUnknown);
}

TEST(Waivers, OfOneThingLeaveRowsThatAreNotStored) {
  Report report = report_of({row("a", Outcome::kFail)}, Outcome::kFail);
  report.rules[0].horizons[0].counts[Outcome::kFail] = 5000;
  EXPECT_EQ(outcome_with(waiver("*"), report), Outcome::kFail);
  EXPECT_EQ(outcome_with(waiver(), report), Outcome::kWaived);
}

TEST(Waivers, OfOneThingDoNotCoverAFailWithoutRows) {
  EXPECT_EQ(outcome_with(waiver("*"), report_of({}, Outcome::kFail)), Outcome::kFail);
  EXPECT_EQ(outcome_with(waiver(), report_of({}, Outcome::kFail)), Outcome::kWaived);
}

TEST(Waivers, LeaveAPassAPass) {
  EXPECT_EQ(outcome_with(waiver(), report_of({}, Outcome::kPass)), Outcome::kPass);
  EXPECT_EQ(outcome_with(waiver(), report_of({}, Outcome::kNotApplicable)), Outcome::kNotApplicable);
}

std::vector<std::string> warnings(const Waiver& waiver, const WaiverDay& day) {
  Report report = report_of({row("a", Outcome::kFail)}, Outcome::kFail);
  apply_waivers({waiver}, day, report);
  return report.warnings;
}

TEST(Waivers, HoldThroughTheirLastDay) {
  const auto fails = [] { return report_of({row("a", Outcome::kFail)}, Outcome::kFail); };
  EXPECT_EQ(outcome_with(waiver("", kToday), fails()), Outcome::kWaived);
  EXPECT_EQ(outcome_with(waiver("", kToday - 1), fails()), Outcome::kFail);
}

TEST(Waivers, SayWhenTheyExpireOrCoverNothing) {
  EXPECT_THAT(warnings(waiver(), {kToday, {}}), IsEmpty());
  EXPECT_THAT(warnings(waiver("", kToday + 7), {kToday, {}}),
              ElementsAre(HasSubstr("ends on " + format_date(kToday + 7))));
  EXPECT_THAT(warnings(waiver("", kToday - 1), {kToday, {}}), ElementsAre(HasSubstr("expired on")));
  EXPECT_THAT(warnings(waiver("x"), {kToday, {}}), ElementsAre(HasSubstr("covers nothing")));
}

TEST(Waivers, AreNotUsedWhenTheClockIsOlderThanTheRules) {
  Report report = report_of({row("a", Outcome::kFail)}, Outcome::kFail);
  apply_waivers({waiver()}, {kToday, kToday + 1}, report);
  EXPECT_EQ(report.rules[0].outcome, Outcome::kFail);
  EXPECT_EQ(report.waivers[0].state, WaiverState::kNotUsed);
  EXPECT_THAT(report.warnings, ElementsAre(HasSubstr("the clock is older than the rules")));
}

TEST(Waivers, ThatEndSoonCanBeAskedFor) {
  Report report = report_of({row("a", Outcome::kFail)}, Outcome::kFail);
  apply_waivers({waiver("", kToday + 14)}, {kToday, {}}, report);
  EXPECT_TRUE(any_expires_within(report, 14));
  EXPECT_FALSE(any_expires_within(report, 13));
  Report unmatched = report_of({row("a", Outcome::kFail)}, Outcome::kFail);
  apply_waivers({waiver("x", kToday)}, {kToday, {}}, unmatched);
  EXPECT_FALSE(any_expires_within(unmatched, 14)) << "nobody misses it";
}

}  // namespace
}  // namespace gpuharden::test
