// SPDX-License-Identifier: GPL-2.0-or-later
// docs/coverage.md is made here: which rules decide each statement of the guide, and which cases show it. A
// table that differs is left in the current folder; read it, and copy it over docs/coverage.md when it is right.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "engine/base/text.h"
#include "tests/support/capture.h"
#include "tests/support/case_file.h"

namespace gpuharden::test {
namespace {

struct Statement {
  std::string id, lines, kind, text, note;
};

std::vector<Statement> guide_statements() {
  std::vector<Statement> statements;
  const std::string list = read_source("rules/reference/guide.tsv");
  for (const auto line : split(list, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    const auto fields = split(line, '\t');
    if (fields.size() != 5) throw std::runtime_error(concat({"rules/reference/guide.tsv: not five fields: ", line}));
    statements.push_back({std::string(fields[0]), std::string(fields[1]), std::string(fields[2]),
                          std::string(fields[3]), std::string(fields[4])});
  }
  return statements;
}

// Statement -> ids of the rules that name it.
std::map<std::string, std::set<std::string>> rules_by_statement() {
  std::map<std::string, std::set<std::string>> rules;
  for (const auto& rule : shipped_catalog().rules) {
    const auto named = rule.controls.find("guide");
    if (named == rule.controls.end()) continue;
    for (const auto& statement : named->second) rules[statement].insert(rule.id);
  }
  return rules;
}

struct CaseCount {
  int pass = 0, fail = 0, other = 0;
};

std::map<std::string, CaseCount> cases_by_rule() {
  std::map<std::string, CaseCount> counts;
  for (const auto& rule_case : all_cases()) {
    auto& count = counts[rule_case.rule];
    if (rule_case.expect == Outcome::kPass) {
      ++count.pass;
    } else if (rule_case.expect == Outcome::kFail) {
      ++count.fail;
    } else {
      ++count.other;
    }
  }
  return counts;
}

std::string decided_by(const Statement& statement, const std::set<std::string>& rules) {
  const bool is_decided = statement.kind == "check" || statement.kind == "compute";
  if (!is_decided && rules.empty()) return concat({"not a check: ", statement.kind});
  std::string text;
  for (const auto& rule : rules) text += concat({text.empty() ? "" : ", ", "`", rule, "`"});
  return text;
}

std::string case_numbers(const std::set<std::string>& rules, const std::map<std::string, CaseCount>& counts) {
  CaseCount sum;
  for (const auto& rule : rules) {
    const auto found = counts.find(rule);
    if (found == counts.end()) continue;
    sum.pass += found->second.pass;
    sum.fail += found->second.fail;
    sum.other += found->second.other;
  }
  if (rules.empty()) return "";
  return concat({std::to_string(sum.pass), " / ", std::to_string(sum.fail), " / ", std::to_string(sum.other)});
}

std::string coverage_document() {
  const auto rules = rules_by_statement();
  const auto counts = cases_by_rule();
  std::string text =
      "# Coverage of the guide\n\n"
      "Each statement of the hardening guide \"ROCm and CUDA on Linux\", the rules that decide it without running a\n"
      "program, and how many of their cases pass, fail, or are unknown or not applicable. Made by `tests/docs` of\n"
      "`rules/reference/guide.tsv` and of the rules' `controls: {guide: [...]}`; a test keeps it up to date.\n\n"
      "| | lines | statement | what is done | rules | cases |\n|---|---|---|---|---|---|\n";
  for (const auto& statement : guide_statements()) {
    const auto found = rules.find(statement.id);
    const std::set<std::string> none;
    const auto& ids = found == rules.end() ? none : found->second;
    text += concat({"| ", statement.id, " | ", statement.lines, " | ", statement.text, " | ", statement.note, " | ",
                    decided_by(statement, ids), " | ", case_numbers(ids, counts), " |\n"});
  }
  return text;
}

TEST(Coverage, EveryStatementThatIsACheckHasARuleWithCases) {
  const auto rules = rules_by_statement();
  const auto counts = cases_by_rule();
  for (const auto& statement : guide_statements()) {
    if (statement.kind != "check" && statement.kind != "compute") continue;
    const auto found = rules.find(statement.id);
    ASSERT_NE(found, rules.end()) << statement.id << " (" << statement.text << ") is decided by no rule";
    for (const auto& rule : found->second) {
      const auto count = counts.find(rule);
      ASSERT_NE(count, counts.end()) << rule;
      EXPECT_TRUE(count->second.pass > 0 && count->second.fail > 0 && count->second.other > 0) << rule;
    }
  }
}

TEST(Coverage, RulesNameOnlyStatementsThatThereAre) {
  std::set<std::string> known;
  for (const auto& statement : guide_statements()) known.insert(statement.id);
  EXPECT_EQ(known.size(), 75U);
  for (const auto& [statement, rules] : rules_by_statement()) {
    EXPECT_TRUE(known.contains(statement)) << *rules.begin() << " names " << statement;
  }
}

TEST(Coverage, TheDocumentIsUpToDate) {
  const std::string made = coverage_document();
  if (made == read_source("docs/coverage.md")) return;
  std::ofstream("coverage.md", std::ios::binary) << made;
  ADD_FAILURE() << "docs/coverage.md is stale; the new one is in the current folder";
}

}  // namespace
}  // namespace gpuharden::test
