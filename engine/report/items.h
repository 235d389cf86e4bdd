// SPDX-License-Identifier: GPL-2.0-or-later
// A report as a list: one item for each thing that somebody may have to look at. Formats that are lists
// (SARIF, CSV) and comparisons (diff, baseline, merge) all walk it, so that none of them leaves a state out.
#pragma once

#include <string>
#include <vector>

#include "engine/model/report.h"

namespace gpuharden {

struct ReportItem {
  const RuleFinding* rule = nullptr;  // these three belong to the report
  const HorizonFinding* horizon = nullptr;
  const RowFinding* row = nullptr;  // none: the item stands for the horizon, or for rows that are not stored
  Outcome outcome = Outcome::kUnknown;
  std::string message;
  std::string identity;    // equal for the same finding in every run and on every host; 32 hexadecimal
  std::int64_t count = 1;  // findings that it stands for
  const AppliedWaiver* waiver = nullptr;
  BaselineState baseline = BaselineState::kNone;
};

// Rows first; then what no row stands for: rows beyond the stored ones, and the horizon's own outcome.
// Every outcome that a horizon has or counts is the outcome of at least one of its items, passed rows excepted.
std::vector<ReportItem> items_of(const RuleFinding& finding);

// Stands for `count` findings of a rule that a format has no room for.
ReportItem remainder_item(const RuleFinding& finding, std::int64_t count);

// Of the rule's horizon as a whole, whatever its outcome.
std::string horizon_identity(const RuleFinding& finding, const HorizonFinding& horizon);
// Of a row: its fingerprint, and another one in each horizon but "now".
std::string row_identity(const HorizonFinding& horizon, const RowFinding& row);

}  // namespace gpuharden
