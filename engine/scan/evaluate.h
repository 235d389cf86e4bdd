// SPDX-License-Identifier: GPL-2.0-or-later
// From a rule's rows and the gaps behind them to outcomes.
#pragma once

#include <set>
#include <vector>

#include "engine/model/report.h"
#include "engine/model/rule.h"
#include "engine/scan/database.h"

namespace gpuharden {

// A rule with its statements: prepared once, first to learn what they read, then to run.
struct PreparedRule {
  Rule rule;
  std::vector<Result<Statement>> statements;  // one a query
  std::set<ColumnRead> reads() const;
};
PreparedRule prepare_rule(Rule rule, Database& database);

// Evaluates every horizon and moves the rule into the finding. Never fails: what goes wrong is the outcome
// kError of that horizon.
RuleFinding evaluate_rule(PreparedRule& prepared);

// The verdict on what the rows said, once gaps are known. Exposed for its tests.
struct HorizonFacts {
  bool has_rows = false;
  Outcome rows = Outcome::kPass;  // the worst of the rows, when there are some
  EmptyMeans empty = EmptyMeans::kNotApplicable;
  FailsBy fails_by = FailsBy::kPresence;
  bool cut_off = false;        // the statement did not end by itself
  bool has_gaps = false;       // gaps that count
  bool only_not_held = false;  // all of them because this kind of host cannot hold the facts
};
Outcome judge(const HorizonFacts& facts);

struct Gate {
  Severity severity = Severity::kMedium;
  bool allow_unknown = false;
};
// The exit code of an audit (docs: 0, 1 or 2).
int exit_code(const std::vector<RuleFinding>& findings, const Gate& gate);

// Worst first: by outcome, severity, then id.
void sort_findings(std::vector<RuleFinding>& findings);

}  // namespace gpuharden
