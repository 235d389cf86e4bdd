// SPDX-License-Identifier: GPL-2.0-or-later
// From what an audit found to what would be done about it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/apply/action.h"
#include "engine/apply/step.h"
#include "engine/model/report.h"

namespace gpuharden {

// What becomes of one failing row.
struct PlanItem {
  std::string rule;
  std::string title;
  std::string subject;
  std::string message;
  Severity severity = Severity::kMedium;
  Risk risk = Risk::kNone;
  std::vector<std::string> reasons;  // of the risk
  std::vector<std::string> waits;    // what is left until it is in force
  std::string skipped;               // why nothing is done; empty: it is planned
  bool has_fix = false;              // the rule has an automatic one
};

struct Plan {
  std::vector<PlanItem> items;
  std::vector<Step> steps;
  bool has_changes() const { return !steps.empty(); }
};

// Which risks may be taken: for all rules, or for those whose id matches a glob.
struct AcceptedRisk {
  Risk risk = Risk::kNone;
  std::string rules = "*";
};
// "RISK" or "RISK:GLOB"; the error names the risks there are.
Result<AcceptedRisk> parse_accepted_risk(std::string_view text);

// A request whose action fails, or whose risk nobody accepted, is an item that says so. Rows are taken in the
// order of the report: worst first.
Plan make_plan(const Report& report, const Host& host, TreeWriter& tree, KernelControl& kernel,
               const std::vector<AcceptedRisk>& accepted);

// Each change as people read it: a unified diff of files, a line for other steps. Contents of files that not
// everybody may read are left out.
std::string show_steps(const std::vector<Step>& steps);

}  // namespace gpuharden
