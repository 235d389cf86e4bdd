// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/cli/apply_verdict.h"

#include <algorithm>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

std::string why_it_fails(const RuleFinding& finding, const Plan& plan) {
  for (const auto& item : plan.items) {
    if (item.rule == finding.rule.id && !item.skipped.empty()) return item.skipped;
  }
  for (const auto& horizon : finding.horizons) {
    for (const auto& row : horizon.rows) {
      if (row.outcome == finding.outcome) return row.message.empty() ? row.subject : row.message;
    }
    if (!horizon.reason.empty()) return horizon.reason;
  }
  return std::string(to_string(finding.outcome));
}

std::vector<std::string> waits_of(const std::string& rule, const Plan& plan) {
  std::vector<std::string> waits;
  for (const auto& item : plan.items) {
    if (item.rule != rule || !item.skipped.empty()) continue;
    for (const auto& wait : item.waits) add_once(waits, wait);
  }
  return waits;
}

bool has_skipped(const std::string& rule, const Plan& plan) {
  return std::any_of(plan.items.begin(), plan.items.end(),
                     [&](const PlanItem& item) { return item.rule == rule && item.has_fix && !item.skipped.empty(); });
}

}  // namespace

void judge_again(const Report& report, const Plan& plan, ApplySummary& summary) {
  for (const auto& finding : report.rules) {
    const auto& id = finding.rule.id;
    const bool is_good = finding.outcome == Outcome::kPass || finding.outcome == Outcome::kNotApplicable ||
                         finding.outcome == Outcome::kWaived;
    auto waits = waits_of(id, plan);
    // What was left alone will not pass by waiting.
    const bool is_left_alone = !is_good && has_skipped(id, plan);
    if (finding.outcome == Outcome::kNotEvaluated && waits.empty())
      waits.emplace_back("what a tree of files cannot tell");
    if (is_good && waits.empty()) {
      summary.passing.push_back(id);
    } else if (!waits.empty() && !is_left_alone) {
      summary.pending.push_back(concat({id, ": ", join(waits, "; ")}));
    } else if (finding.rule.fix.action.empty()) {
      summary.by_hand.push_back(id);
    } else {
      summary.failing.push_back(concat({id, ": ", why_it_fails(finding, plan)}));
    }
  }
  if (!summary.failing.empty() || !summary.by_hand.empty()) {
    summary.exit_code = kExitFailing;
  } else if (!summary.pending.empty()) {
    summary.exit_code = kExitPending;
  }
}

std::vector<std::string> rules_of(const Plan& plan) {
  std::vector<std::string> rules;
  for (const auto& item : plan.items) add_once(rules, item.rule);
  return rules;
}

}  // namespace gpuharden
