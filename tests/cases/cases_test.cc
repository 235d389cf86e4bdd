// SPDX-License-Identifier: GPL-2.0-or-later
// Runs every case of tests/cases, and holds that every rule has the cases that it needs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "engine/scan/evaluate.h"
#include "tests/support/case_file.h"
#include "tests/support/rule_tables.h"

namespace gpuharden::test {
namespace {

std::string describe(const RuleFinding& finding) {
  std::string out;
  for (const auto& horizon : finding.horizons) {
    out += horizon.name + ": " + std::string(to_string(horizon.outcome)) + " " + horizon.reason + "\n";
    for (const auto& row : horizon.rows) {
      out += "  " + std::string(to_string(row.outcome)) + " " + row.subject + " | " + row.file + ":" +
             std::to_string(row.line) + " | " + row.message + " | " + row.detail + "\n";
    }
    for (const auto& gap : horizon.gaps)
      out += "  gap " + gap.table + " " + gap.key + " " + gap.column + ": " + gap.sentence + "\n";
  }
  return out;
}

bool matches(const ExpectedRow& expected, const RowFinding& row) {
  const auto same = [](const std::string& wanted, const std::string& got) { return wanted.empty() || wanted == got; };
  return same(expected.subject, row.subject) && same(expected.outcome, std::string(to_string(row.outcome))) &&
         same(expected.file, row.file) && same(expected.message, row.message) && same(expected.detail, row.detail) &&
         (expected.line == 0 || expected.line == row.line);
}

class CaseTest : public testing::Test {
 public:
  explicit CaseTest(const RuleCase& rule_case) : case_(rule_case) {}

  void TestBody() override {
    const auto capture = case_.make_host();
    const auto host = case_.open(*capture);
    RuleTables source(*host);
    Database database(source);
    auto prepared = prepare_rule(rule_of(case_), database);
    database.expect(prepared.reads());
    const RuleFinding finding = evaluate_rule(prepared);
    SCOPED_TRACE(describe(finding));
    EXPECT_EQ(to_string(finding.outcome), to_string(case_.expect));
    for (const auto& horizon : finding.horizons) {
      const auto expected = case_.horizons.find(horizon.name);
      if (expected == case_.horizons.end()) continue;
      EXPECT_EQ(to_string(horizon.outcome), to_string(expected->second)) << horizon.name;
    }
    check_rows(finding);
    check_gap(finding);
  }

 private:
  void check_rows(const RuleFinding& finding) {
    for (const auto& expected : case_.rows) {
      bool found = false;
      for (const auto& horizon : finding.horizons) {
        found = found || std::any_of(horizon.rows.begin(), horizon.rows.end(),
                                     [&](const RowFinding& row) { return matches(expected, row); });
      }
      EXPECT_TRUE(found) << "no row " << expected.subject << " " << expected.file << ":" << expected.line << " "
                         << expected.message;
    }
  }
  void check_gap(const RuleFinding& finding) {
    if (case_.gap.empty()) return;
    bool found = false;
    for (const auto& horizon : finding.horizons) {
      for (const auto& gap : horizon.gaps) found = found || gap.sentence.find(case_.gap) != std::string::npos;
    }
    EXPECT_TRUE(found) << "no gap says " << case_.gap;
  }

  const RuleCase& case_;
};

// Letters and digits only, as gtest wants names.
std::string test_name(std::string_view text) {
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return out;
}

const bool kRegistered = [] {
  int number = 0;
  for (const auto& rule_case : all_cases()) {
    const std::string name = std::to_string(++number) + "_" + test_name(rule_case.name);
    testing::RegisterTest(
        ("Case_" + test_name(rule_case.rule)).c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [&rule_case]() -> testing::Test* { return new CaseTest(rule_case); });  // NOLINT: gtest owns it
  }
  return true;
}();

TEST(Cases, EveryRuleHasPassFailAndAnUndecidedCase) {
  ASSERT_TRUE(kRegistered);
  std::map<std::string, std::set<Outcome>> outcomes;
  for (const auto& rule_case : all_cases()) outcomes[rule_case.rule].insert(rule_case.expect);
  for (const auto& rule : shipped_catalog().rules) {
    const auto& seen = outcomes[rule.id];
    EXPECT_TRUE(seen.contains(Outcome::kPass)) << rule.id << " has no case that passes";
    EXPECT_TRUE(seen.contains(Outcome::kFail)) << rule.id << " has no case that fails";
    EXPECT_TRUE(seen.contains(Outcome::kUnknown) || seen.contains(Outcome::kNotApplicable))
        << rule.id << " has no unknown or not-applicable case";
  }
}

TEST(Cases, EveryCaseFileBelongsToARule) {
  for (const auto& rule_case : all_cases()) EXPECT_NO_THROW(rule_of(rule_case)) << rule_case.rule;
}

}  // namespace
}  // namespace gpuharden::test
