// SPDX-License-Identifier: GPL-2.0-or-later
// tests/cases/<rule id>.yaml: hosts on which a rule must say a certain thing.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/model/report.h"
#include "engine/rules/catalog.h"
#include "tests/support/capture.h"

namespace gpuharden::test {

struct ExpectedRow {
  std::string subject, outcome, file, message, detail;
  std::int64_t line = 0;
};

struct RuleCase {
  std::string rule;  // id
  std::string name;
  Outcome expect = Outcome::kPass;
  bool is_image = false;
  std::map<std::string, std::string> files, links;
  std::vector<std::string> folders;
  std::string tree;
  std::string yaml;  // keys of host.yaml
  std::map<std::string, ParamValue> set;
  std::map<std::string, Outcome> horizons;
  std::vector<ExpectedRow> rows;
  std::string gap;
  std::string source;  // of the case collection: C05

  // Writes the host to a folder of its own.
  std::unique_ptr<Capture> make_host() const;
  std::unique_ptr<Host> open(const Capture& capture) const;
};

// The cases of one file, for the rule that its name says; throws like all_cases().
std::vector<RuleCase> parse_cases(const std::string& file, std::string_view text);
// Every case of every file; throws std::runtime_error with file and line for what is malformed.
const std::vector<RuleCase>& all_cases();

// The repository's rules; throws with all diagnostics when there are faults.
const Catalog& shipped_catalog();
// The rule of the case with the case's parameters; throws when there is none.
Rule rule_of(const RuleCase& rule_case);

}  // namespace gpuharden::test
