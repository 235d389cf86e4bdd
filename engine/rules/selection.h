// SPDX-License-Identifier: GPL-2.0-or-later
// Which rules of the catalog run, and with which parameters.
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/rules/catalog.h"

namespace gpuharden {

struct SelectionOptions {
  std::string profile = "baseline";
  std::vector<std::string> check;  // id globs: only these, of the whole catalog
  std::vector<std::string> skip;   // id globs
  std::vector<std::string> tags;   // only rules with one of these
  std::vector<std::string> set;    // "rule.id.param=value"; a list is separated by commas
};

struct Selection {
  std::vector<Rule> rules;                             // with parameters and severities of the policy and the options
  std::vector<std::string> required;                   // ids where "not applicable" counts as fail
  std::int64_t floors_max_age = kDefaultFloorsMaxAge;  // days
  bool deep = false;
  std::vector<std::string> accept;  // risks that apply may take
};

// kMalformed with every fault in one sentence each, separated by newlines: an unknown profile, a
// glob or tag that matches no rule, an unknown parameter.
Result<Selection> select_rules(const Catalog& catalog, const SelectionOptions& options);
// The same without a copy: takes the rules out of the catalog and leaves everything else.
Result<Selection> select_rules(Catalog&& catalog, const SelectionOptions& options);

// Faults of the catalog's policies: globs that match nothing, unknown parents and parameters, cycles.
void lint_policies(const Catalog& catalog, std::vector<Diagnostic>& diagnostics);

}  // namespace gpuharden
