// SPDX-License-Identifier: GPL-2.0-or-later
// Documents that are made of definitions are what the program makes now. One that differs is left in the current
// folder; read it, and copy it over the old one when it is right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/base/text.h"
#include "engine/native/yaml.h"
#include "tests/support/capture.h"
#include "tests/support/program.h"
#include "tests/support/schema.h"

namespace gpuharden::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;

void expect_current(const std::string& document, const std::string& file) {
  const auto run = run_program({"docs", document});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  if (fs::exists(source_path(file)) && run.out == read_source(file)) return;
  const std::string name = fs::path(file).filename();
  std::ofstream(name, std::ios::binary) << run.out;
  ADD_FAILURE() << file << " is stale: gpuharden docs " << document << " > " << file << "; the new one is in the "
                << "current folder";
}

TEST(GeneratedDocuments, RulesAreUpToDate) { expect_current("rules", "docs/rules.md"); }
TEST(GeneratedDocuments, TablesAreUpToDate) { expect_current("tables", "docs/tables.md"); }
TEST(GeneratedDocuments, TheManualIsUpToDate) { expect_current("man", "packaging/gpuharden.8"); }

TEST(GeneratedDocuments, TheManualIsReadByMan) {
  if (!is_program("/usr/bin/groff")) GTEST_SKIP() << "no groff (package groff-base)";
  const auto run = run_command({"/usr/bin/groff", "-man", "-Tutf8", "-ww", "-z", source_path("packaging/gpuharden.8")});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
}

// As an editor's YAML plug-in sees a file.
Json json_of(const YamlNode& node) {
  if (node.is_map()) {
    Json out = Json::object();
    for (const auto& [key, value] : node.entries) out[key.scalar] = json_of(value);
    return out;
  }
  if (node.is_sequence()) {
    Json out = Json::array();
    for (const auto& item : node.items) out.push_back(json_of(item));
    return out;
  }
  if (!node.is_scalar()) return nullptr;
  if (node.quoted) return node.scalar;
  if (node.scalar == "true" || node.scalar == "false") return node.scalar == "true";
  const auto number = parse_unsigned(node.scalar);
  return number ? Json(*number) : Json(node.scalar);
}

Json rule_document(const std::string& text) {
  std::vector<YamlError> errors;
  return json_of(parse_yaml(text, errors));
}

constexpr const char* kRuleSchema = "docs/rule.schema.json";

TEST(RuleSchema, AcceptsEveryShippedRule) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source_path("rules"))) {
    const std::string path = fs::relative(entry.path(), source_path(""));
    if (!path.ends_with(".yaml") || path.starts_with("rules/floors/")) continue;
    EXPECT_EQ(violations(rule_document(read_source(path)), kRuleSchema), "") << path;
    ++count;
  }
  EXPECT_GT(count, 100U);
}

TEST(RuleSchema, RefusesWhatTheLoaderRefuses) {
  const std::string good = read_source("rules/apt/signed-by.yaml");
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"severity: high", "severity: huge"},
                                                        {"title: ", "titel: "},
                                                        {"attack: [T1195.002]", "attack: [1195]"},
                                                        {"query: |", "queri: |"}}) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    EXPECT_NE(violations(rule_document(bad), kRuleSchema), "") << to;
  }
}

// Its keys are those of the loader, no more and no less.
TEST(RuleSchema, HasTheKeysOfTheLoader) {
  std::set<std::string> keys;
  const Json schema = Json::parse(read_source(kRuleSchema));
  for (const auto& [key, value] : schema["properties"].items()) keys.insert(key);
  std::set<std::string> loader;
  const std::string source = read_source("engine/rules/rule_loader.cc");
  for (const auto line : split(std::string_view(source), '\n')) {
    const auto at = line.find("&R::");
    const auto open = line.find("{\"");
    if (at == std::string_view::npos || open == std::string_view::npos) continue;
    loader.insert(std::string(line.substr(open + 2, line.find('"', open + 2) - open - 2)));
  }
  EXPECT_EQ(keys, loader);
}

}  // namespace
}  // namespace gpuharden::test
