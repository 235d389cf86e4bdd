// SPDX-License-Identifier: GPL-2.0-or-later
// Each refusal beside the wrong pass that it prevents: the refused statement says pass on a host
// where the right one does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/scan/lint.h"
#include "tests/support/fake_source.h"

namespace gpuharden::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

Value cell(std::string_view bytes) { return Value::of(bytes); }

// A host with a bad thing on it, in the table os_release for want of a simpler one.
FakeSource bad_host() {
  FakeSource source;
  source.row("os_release", {{"id", cell("good")}, {"version_id", cell("10.2")}, {"file", cell("/a")}})
      .row("os_release", {{"id", cell("bad")}, {"version_id", cell("9.1")}, {"file", cell("/b")}});
  return source;
}

void expect_wrong_pass(const std::string& refused, const std::string& right, const std::string& code) {
  FakeSource first = bad_host();
  FakeSource second = bad_host();
  EXPECT_EQ(to_string(evaluate(make_rule(refused), first).outcome), "pass")
      << "the refused statement is not even wrong: " << refused;
  EXPECT_NE(to_string(evaluate(make_rule(right), second).outcome), "pass") << right;
  EXPECT_THAT(lint_codes(make_rule(refused)), Contains(code)) << refused;
  EXPECT_THAT(lint_codes(make_rule(right)), IsEmpty()) << right;
}

TEST(Lint, AcceptsASoundRule) {
  EXPECT_THAT(lint_codes(make_rule("SELECT id AS subject, id <> 'bad' AS ok, file FROM os_release")), IsEmpty());
}

TEST(Lint, RefusesNumbersWithALeadingZero) {
  // 0077 is seventy-seven: the write bit of others is not in it.
  expect_wrong_pass("SELECT id AS subject, (2 & 0077) = 0 AS ok FROM os_release",
                    "SELECT id AS subject, (2 & octal('0077')) = 0 AS ok FROM os_release", "leading-zero");
}

TEST(Lint, RefusesLimit) {
  expect_wrong_pass("SELECT id AS subject, id <> 'bad' AS ok FROM os_release LIMIT 1",
                    "SELECT id AS subject, id <> 'bad' AS ok FROM os_release", "limit");
}

TEST(Lint, RefusesGroupByInTheOutermostSelect) {
  expect_wrong_pass(
      "SELECT 'all' AS subject, id <> 'bad' AS ok FROM os_release GROUP BY 1 HAVING id = 'good' OR id = 'bad'",
      "SELECT id AS subject, id <> 'bad' AS ok FROM os_release", "group-by");
}

TEST(Lint, RefusesVersionsComparedAsText) {
  // '10.2' < '9.9' as text, so the older 9.1 is the only one that looks new.
  expect_wrong_pass("SELECT id AS subject, version_id < '9.9' AS ok FROM os_release",
                    "SELECT id AS subject, version_lt('dotted', version_id, '9.9') AS ok FROM os_release",
                    "version-order");
}

TEST(Lint, RefusesVersionsInBetweenMinAndMax) {
  EXPECT_THAT(lint_codes(make_rule("SELECT id AS subject, version_id BETWEEN '1' AND '2' AS ok FROM os_release")),
              Contains("version-order"));
  Rule rule = make_rule("SELECT 'x' AS subject, max(o.version_id) = '9' AS ok FROM os_release o");
  rule.fails_by_given = true;
  EXPECT_THAT(lint_codes(rule), ElementsAre("version-order")) << "min and max of versions";
}

TEST(Lint, RefusesNotInOverValuesThatMayBeNull) {
  // codename is NULL in every row: NOT IN over it is never true, so no row comes out.
  const std::string refused =
      "SELECT id AS subject, 0 AS ok FROM os_release WHERE id NOT IN (SELECT codename FROM os_release)";
  FakeSource source = bad_host();
  EXPECT_EQ(to_string(evaluate(make_rule(refused), source).outcome), "not-applicable");
  EXPECT_THAT(lint_codes(make_rule(refused)), Contains("null-not-in"));
  EXPECT_THAT(lint_codes(make_rule("SELECT id AS subject, 0 AS ok FROM os_release WHERE id NOT IN (SELECT codename "
                                   "FROM os_release WHERE codename IS NOT NULL)")),
              IsEmpty());
}

TEST(Lint, RefusesNotInOfAColumnThatMayBeNull) {
  // NULL NOT IN (…) is NULL: the row that nobody knows anything about drops out.
  const std::string refused = "SELECT id AS subject, 0 AS ok FROM os_release WHERE codename NOT IN ('bookworm')";
  FakeSource source = bad_host();
  EXPECT_EQ(to_string(evaluate(make_rule(refused), source).outcome), "not-applicable");
  EXPECT_THAT(lint_codes(make_rule(refused)), Contains("null-not-in"));
  EXPECT_THAT(lint_codes(make_rule(
                  "SELECT id AS subject, 0 AS ok FROM os_release WHERE coalesce(codename, '') NOT IN ('bookworm')")),
              IsEmpty());
}

TEST(Lint, RefusesMistypedColumnsInDoubleQuotes) {
  // With SQLite's old rule "idd" would be a text, and a text is never NULL.
  const Rule rule = make_rule("SELECT id AS subject, \"idd\" IS NOT NULL AS ok FROM os_release");
  EXPECT_THAT(lint_codes(rule), ElementsAre("unknown-column"));
  FakeSource source = bad_host();
  EXPECT_EQ(evaluate(rule, source).outcome, Outcome::kError);
}

TEST(Lint, SuggestsTheNearestName) {
  FakeSource source;
  Database database(source);
  std::vector<Diagnostic> diagnostics;
  lint_rule(make_rule("SELECT id AS subject, codenam IS NULL AS ok FROM os_release"), "", database, diagnostics);
  lint_rule(make_rule("SELECT id AS subject, 1 AS ok FROM os_relase"), "", database, diagnostics);
  ASSERT_EQ(diagnostics.size(), 2U);
  EXPECT_THAT(diagnostics[0].sentence, testing::HasSubstr("did you mean \"codename\"?"));
  EXPECT_THAT(diagnostics[1].sentence, testing::HasSubstr("did you mean \"os_release\"?"));
}

TEST(Lint, RefusesParametersThatAreNotDeclaredOrNotUsed) {
  // An undeclared parameter is NULL, and a comparison with NULL drops every row.
  FakeSource source = bad_host();
  Rule undeclared = make_rule("SELECT id AS subject, 0 AS ok FROM os_release WHERE id = :wanted");
  EXPECT_EQ(to_string(evaluate(undeclared, source).outcome), "not-applicable");
  EXPECT_THAT(lint_codes(undeclared), ElementsAre("unknown-parameter"));
  Rule unused = make_rule("SELECT id AS subject, id <> 'bad' AS ok FROM os_release");
  unused.params = {{"strict", std::int64_t{1}, "", false, {}}};
  EXPECT_THAT(lint_codes(unused), ElementsAre("unused-parameter"));
}

TEST(Lint, RefusesNamesThatJsonEachTakesOver) {
  // "value" is each letter of the list here, not the variable's value: it is always in the list.
  const std::string refused =
      "SELECT name AS subject, EXISTS (SELECT 1 FROM json_each('[\"a\"]') WHERE value IN ('a')) AS ok, value FROM "
      "env_assignments";
  FakeSource source;
  source.row("env_assignments", {{"name", cell("LD_PRELOAD")}, {"value", cell("evil")}});
  EXPECT_EQ(to_string(evaluate(make_rule(refused), source).outcome), "pass");
  EXPECT_THAT(lint_codes(make_rule(refused)), Contains("ambiguous-name"));
  Rule right = make_rule(
      "SELECT name AS subject, e.value IN (SELECT value FROM json_each('[\"a\"]')) AS ok FROM env_assignments e");
  EXPECT_THAT(lint_codes(right), IsEmpty());
  EXPECT_EQ(to_string(evaluate(right, source).outcome), "fail");
  // json_each has a column "path" too, and the statement is not even seen to read the table's.
  const auto hidden = make_rule(
      "SELECT path AS subject, NOT EXISTS (SELECT 1 FROM json_each('[\"/tmp/*\"]') AS bad WHERE path GLOB bad.value) "
      "AS ok FROM device_nodes");
  EXPECT_THAT(lint_codes(hidden), Contains("ambiguous-name"));
}

TEST(Lint, RefusesEmptyLists) {
  const std::string refused = "SELECT id AS subject, id NOT IN () AS ok FROM os_release";
  FakeSource source = bad_host();
  EXPECT_EQ(to_string(evaluate(make_rule(refused), source).outcome), "pass");
  EXPECT_THAT(lint_codes(make_rule(refused)), Contains("empty-list"));
}

TEST(Lint, RefusesSqlThatOlderSqliteDoesNotKnow) {
  for (const std::string condition : {"id IS DISTINCT FROM 'bad'", "id -> '$' = 'x'", "1_0 = 10"}) {
    EXPECT_THAT(lint_codes(make_rule("SELECT id AS subject, " + condition + " AS ok FROM os_release")),
                testing::Not(IsEmpty()))
        << condition;
  }
}

TEST(Lint, WantsToKnowWhatAFailRestsOn) {
  const std::string absence = "SELECT 'a' AS subject, NOT EXISTS (SELECT 1 FROM os_release WHERE id = 'good') AS ok";
  EXPECT_THAT(lint_codes(make_rule(absence)), ElementsAre("fails-by"));
  Rule rule = make_rule(absence);
  rule.fails_by_given = true;
  EXPECT_THAT(lint_codes(rule), IsEmpty());
}

TEST(Lint, RefusesEverythingButLooking) {
  for (const std::string sql :
       {"DELETE FROM os_release", "ATTACH 'x' AS y", "PRAGMA user_version",
        "SELECT name AS subject, 1 AS ok FROM sqlite_master", "SELECT load_extension('x') AS subject, 1 AS ok",
        "SELECT random() AS subject, 1 AS ok FROM os_release", "CREATE TABLE x(y)",
        "SELECT id AS subject, 1 AS ok FROM os_release; SELECT 1"}) {
    EXPECT_THAT(lint_codes(make_rule(sql)), testing::Not(IsEmpty())) << sql;
  }
}

TEST(Lint, WantsSubjectAndOkOnce) {
  EXPECT_THAT(lint_codes(make_rule("SELECT id AS ok FROM os_release")), Contains("missing-column"));
  EXPECT_THAT(lint_codes(make_rule("SELECT id AS subject, 1 AS ok, 1 AS ok FROM os_release")),
              Contains("duplicate-column"));
}

TEST(Lint, ChecksPlaceholders) {
  Rule rule = make_rule("SELECT id AS subject, 1 AS ok FROM os_release");
  rule.message = "{subjct} is bad";
  rule.key = {"port"};
  EXPECT_THAT(lint_codes(rule), ElementsAre("unknown-placeholder", "unknown-placeholder"));
}

TEST(Lint, SaysLineAndColumn) {
  Rule rule = make_rule("SELECT id AS subject,\n  nope AS ok FROM os_release");
  rule.queries[0].place = {"test.yaml", 9, 3};
  FakeSource source;
  Database database(source);
  std::vector<Diagnostic> diagnostics;
  lint_rule(rule, "", database, diagnostics);
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].place.line, 10U);
  EXPECT_EQ(diagnostics[0].place.column, 5U);
}

TEST(Lint, RefusesFloorsThatThereAreNot) {
  FloorFile file;
  file.component = "nvidia-driver";
  std::vector<Diagnostic> diagnostics;
  lint_floor_names(make_rule("SELECT branch AS subject, 1 AS ok FROM floors('nvidia-driver')"), "", {file},
                   diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  lint_floor_names(make_rule("SELECT branch AS subject, 1 AS ok FROM floors('nvidia-drivers')"), "", {file},
                   diagnostics);
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].code, "unknown-floors");
  EXPECT_EQ(diagnostics[0].sentence, "there are no floors of \"nvidia-drivers\", did you mean \"nvidia-driver\"?");
}

}  // namespace
}  // namespace gpuharden::test
