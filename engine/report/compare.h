// SPDX-License-Identifier: GPL-2.0-or-later
// Two reports of one host, or of hosts that should be alike.
#pragma once

#include <string>
#include <vector>

#include "engine/model/report.h"
#include "engine/report/items.h"

namespace gpuharden {

enum class ChangeKind : std::uint8_t {
  kNew,      // was not there: fails, is not known or is an error now
  kWorse,    // was there, with a better outcome: a waived one that fails again
  kChanged,  // the same outcome or a better one, in other words
  kSame,
  kFixed,   // is gone, and its rule could see that it is
  kUnseen,  // is gone, but its rule was not asked or could not tell
};
// "new", "worse", "changed", "same", "fixed", "unseen"
std::string_view to_string(ChangeKind kind);

// What two reports say of one finding. Texts are those of the later report where it has the finding.
struct Change {
  ChangeKind kind = ChangeKind::kSame;
  std::string rule, horizon, subject, message, file;
  std::int64_t line = 0;
  Severity severity = Severity::kMedium;
  std::optional<Outcome> before, after;  // nothing where that report does not have it
  std::string identity;
};

struct Comparison {
  std::vector<Change> changes;  // worst first, then by rule and place
  std::vector<std::string> warnings;
};

// Compares what fails, is not known, is an error or is waived.
Comparison compare(const Report& before, const Report& after);

// Something is new, worse or no longer seen, of a rule at or over that severity.
bool is_worse(const Comparison& comparison, Severity severity);

// Notes in each finding of `report` whether the baseline has it with the same or a worse outcome.
void mark_baseline(const Report& baseline, Report& report);

// The exit code of an audit (0, 1 or 2) when only what the baseline does not have decides. Errors always do.
int exit_code_of_new(const Report& report, bool allow_unknown);

std::string write_diff_text(const Report& before, const Report& after, const Comparison& comparison);
// gpuharden.diff/1
std::string write_diff_json(const Report& before, const Report& after, const Comparison& comparison);

}  // namespace gpuharden
