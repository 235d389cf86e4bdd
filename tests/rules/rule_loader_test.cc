// SPDX-License-Identifier: GPL-2.0-or-later
// Every fault of a rule file at once, with its place.
#include "engine/rules/rule_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuharden {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kGood = R"(title: Files are closed
severity: high
maturity: stable
attack: [T1222.002]
why: Because.
params:
  modes: {default: ["0022"], doc: bits}
query: |
  SELECT id AS subject, 1 AS ok
  FROM os_release
message: "{subject}"
none: Nothing there
manual: Close them.
references: ["https://example.org/"]
)";

TechniqueTables techniques() {
  TechniqueTables tables;
  tables.attack = parse_techniques(
      "# comment\nT1222.002\tLinux and Mac Permissions\tdefense-impairment\tactive\t\n"
      "T1562\tImpair Defenses\tdefense-evasion\trevoked\tT1685\n");
  return tables;
}

struct Loaded {
  Rule rule;
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> codes() const {
    std::vector<std::string> out;
    for (const auto& diagnostic : diagnostics) out.push_back(diagnostic.code);
    return out;
  }
};

Loaded load(std::string_view text) {
  Loaded out;
  out.rule = load_rule("a.b", "rules/a/b.yaml", text, techniques(), out.diagnostics);
  return out;
}

std::string replaced(std::string_view from, std::string_view to) {
  std::string text(kGood);
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(RuleLoader, ReadsAGoodRule) {
  const auto loaded = load(kGood);
  EXPECT_THAT(loaded.codes(), IsEmpty());
  EXPECT_EQ(loaded.rule.severity, Severity::kHigh);
  EXPECT_EQ(loaded.rule.params.at(0).name, "modes");
  ASSERT_EQ(loaded.rule.queries.size(), 1U);
  EXPECT_EQ(loaded.rule.queries[0].horizon, "now");
  EXPECT_EQ(loaded.rule.queries[0].place.line, 9U);
  EXPECT_EQ(loaded.rule.queries[0].place.column, 3U);
}

TEST(RuleLoader, NamesEveryFaultAtOnce) {
  const auto loaded = load("titel: x\nseverity: hihg\nattack: [T1562, T9999]\nquery: SELECT 1\nquery: SELECT 2\n");
  EXPECT_THAT(loaded.codes(), ElementsAre("yaml"));  // a document with a doubled key is read no further
  const auto again = load("titel: x\nseverity: hihg\nattack: [T1562, T9999]\n");
  EXPECT_THAT(again.codes(), testing::IsSupersetOf({"unknown-key", "unknown-word", "revoked-technique",
                                                    "unknown-technique", "missing-key"}));
}

TEST(RuleLoader, SaysFileLineColumnSnippetAndSuggestion) {
  const auto loaded = load(replaced("severity: high", "severty: high"));
  ASSERT_FALSE(loaded.diagnostics.empty());
  const std::string text = format(loaded.diagnostics.front());
  EXPECT_THAT(text, HasSubstr("rules/a/b.yaml:2:1: unknown-key: unknown key \"severty\", did you mean \"severity\"?"));
  EXPECT_THAT(text, HasSubstr("    severty: high\n    ^"));
}

TEST(RuleLoader, NamesTheSuccessorOfARevokedTechnique) {
  const auto loaded = load(replaced("T1222.002", "T1562"));
  ASSERT_EQ(loaded.diagnostics.size(), 1U);
  EXPECT_THAT(loaded.diagnostics[0].sentence, HasSubstr("use T1685"));
}

TEST(RuleLoader, WantsKeysInOrder) {
  EXPECT_THAT(
      load(replaced("title: Files are closed\nseverity: high", "severity: high\ntitle: Files are closed")).codes(),
      ElementsAre("key-order"));
}

TEST(RuleLoader, RefusesModesThatAreNotQuoted) {
  EXPECT_THAT(load(replaced("[\"0022\"]", "0022")).codes(), ElementsAre("leading-zero"));
}

TEST(RuleLoader, RefusesEmptyListsUnlessMeant) {
  EXPECT_THAT(load(replaced("[\"0022\"]", "[]")).codes(), ElementsAre("empty-list"));
  EXPECT_THAT(load(replaced("{default: [\"0022\"], doc: bits}", "{default: [], doc: bits, allow_empty: true}")).codes(),
              IsEmpty());
}

TEST(RuleLoader, WantsASourceThatCanBeOpened) {
  EXPECT_THAT(load(replaced("[\"https://example.org/\"]", "[]")).codes(), Contains("missing-source"));
  EXPECT_THAT(load(replaced("https://example.org/", "see the wiki")).codes(), Contains("bad-reference"));
}

TEST(RuleLoader, EmptyFailImpliesAbsence) {
  const auto loaded = load(replaced("none: Nothing there", "none: Nothing there\nempty: fail"));
  EXPECT_THAT(loaded.codes(), IsEmpty());
  EXPECT_EQ(loaded.rule.fails_by, FailsBy::kAbsence);
}

TEST(RuleLoader, RefusesWhatIsNoRule) {
  for (const std::string_view text :
       {"", "[]", "a: b: c", "- 1", "\xff\xfe", "title: &x y\nwhy: *x", "{", "title: x\n---\ntitle: y"}) {
    EXPECT_THAT(load(text).codes(), testing::Not(IsEmpty())) << text;
  }
}

TEST(RuleLoader, DeepAndHugeDocumentsEnd) {
  EXPECT_THAT(load(std::string(100000, '[')).codes(), testing::Not(IsEmpty()));
  std::string many = "tags: [";
  for (int i = 0; i < 300000; ++i) many += "a,";
  EXPECT_THAT(load(many + "]").codes(), testing::Not(IsEmpty()));
}

TEST(RuleId, ComesFromThePath) {
  EXPECT_EQ(rule_id("apt/signed-by.yaml"), "apt.signed-by");
  for (const auto* path : {"apt/Signed.yaml", "apt/x/y.yaml", "x.yaml", "apt/x.yml", "apt/.yaml", "../x.yaml"}) {
    EXPECT_EQ(rule_id(path), "") << path;
  }
}

}  // namespace
}  // namespace gpuharden
