// SPDX-License-Identifier: GPL-2.0-or-later
// The worked example of CONTRIBUTING.md is run as it stands there.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/rules/rule_loader.h"
#include "engine/scan/evaluate.h"
#include "engine/scan/lint.h"
#include "tests/docs/markdown.h"
#include "tests/support/case_file.h"

namespace gpuharden::test {
namespace {

constexpr std::string_view kRuleFile = "rules/system/release-supported.yaml";
constexpr std::string_view kCaseFile = "tests/cases/system.release-supported.yaml";

std::string block(std::string_view name) { return code_block(read_source("CONTRIBUTING.md"), name); }

TechniqueTables techniques() {
  return {parse_techniques(read_source("rules/reference/attack.tsv")),
          parse_techniques(read_source("rules/reference/atlas.tsv"))};
}

// Throws with every fault that the loader or the linter finds.
Rule example_rule() {
  const std::string text = block(kRuleFile);
  std::vector<Diagnostic> diagnostics;
  Rule rule = load_rule(rule_id(kRuleFile.substr(std::string_view("rules/").size())), std::string(kRuleFile), text,
                        techniques(), diagnostics);
  Capture nothing;
  const auto host = nothing.folder("/etc").open();
  DirectSource source(*host);
  Database database(source);
  if (diagnostics.empty()) lint_rule(rule, text, database, diagnostics);
  std::string all;
  for (const auto& diagnostic : diagnostics) all += format(diagnostic) + "\n";
  if (!all.empty()) throw std::runtime_error(all);
  return rule;
}

RuleFinding run(const Rule& rule, const RuleCase& rule_case) {
  const auto capture = rule_case.make_host();
  const auto host = rule_case.open(*capture);
  DirectSource source(*host);
  Database database(source);
  auto prepared = prepare_rule(rule, database);
  database.expect(prepared.reads());
  return evaluate_rule(prepared);
}

bool says(const RuleFinding& finding, const ExpectedRow& expected) {
  const auto& rows = finding.horizons.at(0).rows;
  return std::any_of(rows.begin(), rows.end(), [&](const RowFinding& row) {
    return row.subject == expected.subject && row.message == expected.message && row.file == expected.file;
  });
}

TEST(Contributing, TheExampleDoesWhatThePageSays) {
  const Rule rule = example_rule();
  EXPECT_EQ(rule.id, "system.release-supported");
  std::set<Outcome> outcomes;
  for (const auto& rule_case : parse_cases(std::string(kCaseFile), block(kCaseFile))) {
    const auto finding = run(rule, rule_case);
    EXPECT_EQ(to_string(finding.outcome), to_string(rule_case.expect)) << rule_case.name;
    for (const auto& row : rule_case.rows) EXPECT_TRUE(says(finding, row)) << rule_case.name << ": " << row.message;
    outcomes.insert(rule_case.expect);
  }
  EXPECT_EQ(outcomes.size(), 3U);
}

TEST(Contributing, ARollingReleaseIsUnknownAsThePageSays) {
  RuleCase rolling;
  rolling.files["/etc/os-release"] = "ID=arch\n";
  EXPECT_EQ(to_string(run(example_rule(), rolling).outcome), "unknown");
}

}  // namespace
}  // namespace gpuharden::test
