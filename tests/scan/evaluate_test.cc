// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/fake_source.h"

namespace gpuharden::test {
namespace {

Value text(std::string_view bytes) { return Value::of(bytes); }

constexpr const char* kSql = "SELECT id AS subject, id <> 'bad' AS ok, file, version AS detail FROM os_release";

FakeSource host_with(std::initializer_list<std::string_view> ids) {
  FakeSource source;
  for (const auto id : ids) source.row("os_release", {{"id", text(id)}, {"file", text("/etc/os-release")}});
  return source;
}

Gap gap(std::string column = "*", std::string key = "*", ErrorCode cause = ErrorCode::kPermission) {
  return {"os_release", std::move(key), std::move(column), cause, "could not read it"};
}

std::string outcome_of(const Rule& rule, FakeSource source) {
  return std::string(to_string(evaluate(rule, source).outcome));
}

TEST(Evaluate, TakesTheWorstRow) {
  EXPECT_EQ(outcome_of(make_rule(kSql), host_with({"good"})), "pass");
  EXPECT_EQ(outcome_of(make_rule(kSql), host_with({"good", "bad"})), "fail");
  EXPECT_EQ(outcome_of(make_rule(kSql), host_with({})), "not-applicable");
}

// C192: what could not be evaluated is not green.
TEST(Evaluate, AGapWinsOverEveryGreen) {
  EXPECT_EQ(outcome_of(make_rule(kSql), host_with({"good"}).gap(gap())), "unknown");
  EXPECT_EQ(outcome_of(make_rule(kSql), host_with({}).gap(gap())), "unknown");
  Rule passes_when_empty = make_rule(kSql);
  passes_when_empty.empty = EmptyMeans::kPass;
  EXPECT_EQ(outcome_of(passes_when_empty, host_with({}).gap(gap())), "unknown");
}

TEST(Evaluate, AFailStandsOnlyOnWhatWasSeen) {
  EXPECT_EQ(outcome_of(make_rule(kSql), host_with({"bad"}).gap(gap())), "fail");
  Rule by_absence = make_rule(kSql);
  by_absence.fails_by = FailsBy::kAbsence;
  EXPECT_EQ(outcome_of(by_absence, host_with({"bad"}).gap(gap())), "unknown");
  EXPECT_EQ(outcome_of(by_absence, host_with({"bad"})), "fail");
  Rule fails_when_empty = make_rule(kSql);
  fails_when_empty.empty = EmptyMeans::kFail;
  EXPECT_EQ(outcome_of(fails_when_empty, host_with({})), "fail");
  EXPECT_EQ(outcome_of(fails_when_empty, host_with({}).gap(gap())), "unknown");
}

TEST(Evaluate, AGapOfAColumnThatIsNotReadDoesNotCount) {
  EXPECT_EQ(outcome_of(make_rule(kSql), host_with({"good"}).gap(gap("codename"))), "pass");
  EXPECT_EQ(outcome_of(make_rule(kSql), host_with({"good"}).gap(gap("version"))), "unknown");
}

// The idioms that swallow a NULL: each would stay green by SQL alone.
TEST(Evaluate, SwallowedNullsStayUnknown) {
  for (const std::string sql :
       {"SELECT id AS subject, CASE WHEN codename = 'x' THEN 0 ELSE 1 END AS ok FROM os_release",
        "SELECT 'all' AS subject, count(*) = 0 AS ok FROM os_release WHERE codename = 'x'",
        "SELECT 'all' AS subject, NOT EXISTS (SELECT 1 FROM os_release WHERE codename = 'x') AS ok",
        "SELECT id AS subject, coalesce(codename, '') <> 'x' AS ok FROM os_release",
        "SELECT 'all' AS subject, coalesce(min(codename <> 'x'), 1) AS ok FROM os_release",
        "SELECT id AS subject, 0 AS ok FROM os_release WHERE codename = 'x'"}) {
    FakeSource source;
    source.row("os_release", {{"id", text("a")}, {"codename", {ValueKind::kUnread, 0, {}}}}).gap(gap("codename", "a"));
    EXPECT_EQ(outcome_of(make_rule(sql), source), "unknown") << sql;
  }
}

TEST(Evaluate, FactsThatAnImageCannotHoldAreNotEvaluated) {
  EXPECT_EQ(outcome_of(make_rule(kSql), host_with({"good"}).gap(gap("*", "*", ErrorCode::kNotHeld))), "not-evaluated");
  EXPECT_EQ(outcome_of(make_rule(kSql), host_with({"bad"}).gap(gap("*", "*", ErrorCode::kNotHeld))), "fail");
  EXPECT_EQ(outcome_of(make_rule(kSql), host_with({"good"}).gap(gap("*", "*", ErrorCode::kNotHeld)).gap(gap())),
            "unknown");
}

TEST(Evaluate, OkMustBeOneZeroOrNull) {
  for (const std::string ok : {"2", "-1", "1.0", "'1'", "'yes'"}) {
    EXPECT_EQ(outcome_of(make_rule("SELECT id AS subject, " + ok + " AS ok FROM os_release"), host_with({"a"})),
              "error")
        << ok;
  }
  EXPECT_EQ(outcome_of(make_rule("SELECT id AS subject, NULL AS ok FROM os_release"), host_with({"a"})), "unknown");
  EXPECT_EQ(outcome_of(make_rule("SELECT codename AS subject, 1 AS ok FROM os_release"), host_with({"a"})), "error");
}

TEST(Evaluate, ATableThatFailedHalfWayIsAnErrorButKeepsItsFails) {
  EXPECT_EQ(outcome_of(make_rule(kSql), host_with({"good"}).failure("os_release", "the reader died")), "error");
  EXPECT_EQ(outcome_of(make_rule(kSql), host_with({"bad"}).failure("os_release", "the reader died")), "fail");
}

TEST(Evaluate, CutsOffAStatementThatNeverEnds) {
  FakeSource source;
  for (int i = 0; i < 2000; ++i) source.row("os_release", {{"id", text("good")}, {"file", text("/x")}});
  const auto finding = evaluate(
      make_rule("SELECT a.id AS subject, count(*) < 0 AS ok FROM os_release a, os_release b, os_release c"), source);
  EXPECT_EQ(finding.outcome, Outcome::kError);
  EXPECT_THAT(finding.horizons[0].reason, testing::HasSubstr("too many steps"));
}

TEST(Evaluate, MakesMessageEvidenceAndFingerprint) {
  Rule rule = make_rule("SELECT id AS subject, 0 AS ok, file, 3 AS line, codename FROM os_release");
  rule.message = "{subject} in {file} has {codename} and {nothing}";
  auto source = host_with({"a"});
  const auto row = evaluate(rule, source).horizons[0].rows.at(0);
  EXPECT_EQ(row.message, "a in /etc/os-release has unknown and {nothing}");
  EXPECT_EQ(row.file, "/etc/os-release");
  EXPECT_EQ(row.line, 3);
  ASSERT_EQ(row.evidence.size(), 1U);
  EXPECT_EQ(row.evidence[0].name, "codename");
  EXPECT_EQ(row.fingerprint.size(), 32U);
}

// A finding keeps its identity from run to run, and two files of one name are two findings.
TEST(Evaluate, C139TheFingerprintKnowsThePathButNoLineAndNoProcess) {
  auto source = host_with({"a"});
  const auto first =
      evaluate(make_rule("SELECT id AS subject, 0 AS ok, file, 3 AS line, 17 AS pid FROM os_release"), source);
  const auto second =
      evaluate(make_rule("SELECT id AS subject, 0 AS ok, file, 4 AS line, 18 AS pid FROM os_release"), source);
  EXPECT_EQ(first.horizons[0].rows[0].fingerprint, second.horizons[0].rows[0].fingerprint);
  const auto elsewhere =
      evaluate(make_rule("SELECT id AS subject, 0 AS ok, '/usr/lib/os-release' AS file FROM os_release"), source);
  EXPECT_NE(elsewhere.horizons[0].rows[0].fingerprint, first.horizons[0].rows[0].fingerprint);
  Rule keyed = make_rule("SELECT id AS subject, 0 AS ok, file, 18 AS pid FROM os_release");
  keyed.key = {"pid"};
  EXPECT_NE(evaluate(keyed, source).horizons[0].rows[0].fingerprint, first.horizons[0].rows[0].fingerprint);
}

TEST(Evaluate, StoresAThousandRowsAndCountsAll) {
  FakeSource source;
  for (int i = 0; i < 1500; ++i) source.row("os_release", {{"id", text("bad")}});
  const auto horizon = evaluate(make_rule(kSql), source).horizons[0];
  EXPECT_EQ(horizon.rows.size(), Report::kMaxRows);
  EXPECT_EQ(horizon.counts.at(Outcome::kFail), 1500);
}

TEST(Evaluate, ReadsEachTableOnce) {
  auto source = host_with({"good"});
  evaluate(
      make_rule(
          "SELECT a.id AS subject, b.id IS NOT NULL AS ok FROM os_release a LEFT JOIN os_release b ON a.id = b.id"),
      source);
  EXPECT_EQ(source.asked.size(), 1U);
}

RuleFinding finding(Outcome outcome, Severity severity) {
  RuleFinding out;
  out.outcome = outcome;
  out.rule.severity = severity;
  return out;
}

TEST(ExitCode, FollowsTheTable) {
  const Gate gate;
  EXPECT_EQ(exit_code({}, gate), 1) << "nothing was evaluated";
  EXPECT_EQ(exit_code({finding(Outcome::kPass, Severity::kHigh)}, gate), 0);
  EXPECT_EQ(exit_code({finding(Outcome::kNotApplicable, Severity::kHigh)}, gate), 0);
  EXPECT_EQ(exit_code({finding(Outcome::kWaived, Severity::kHigh)}, gate), 0);
  EXPECT_EQ(exit_code({finding(Outcome::kFail, Severity::kMedium)}, gate), 2);
  EXPECT_EQ(exit_code({finding(Outcome::kFail, Severity::kLow)}, gate), 0);
  EXPECT_EQ(exit_code({finding(Outcome::kUnknown, Severity::kHigh)}, gate), 1);
  EXPECT_EQ(exit_code({finding(Outcome::kUnknown, Severity::kLow)}, gate), 0);
  EXPECT_EQ(exit_code({finding(Outcome::kError, Severity::kHigh)}, {Severity::kMedium, true}), 1);
  EXPECT_EQ(exit_code({finding(Outcome::kUnknown, Severity::kHigh)}, {Severity::kMedium, true}), 0);
  EXPECT_EQ(exit_code({finding(Outcome::kUnknown, Severity::kHigh), finding(Outcome::kFail, Severity::kHigh)}, gate),
            2);
  EXPECT_EQ(exit_code({finding(Outcome::kNotEvaluated, Severity::kHigh)}, gate), 1);
  EXPECT_EQ(
      exit_code({finding(Outcome::kNotEvaluated, Severity::kHigh), finding(Outcome::kPass, Severity::kInfo)}, gate), 0);
}

}  // namespace
}  // namespace gpuharden::test
