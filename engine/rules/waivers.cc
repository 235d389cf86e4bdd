// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/rules/waivers.h"

#include <algorithm>

#include "engine/base/date.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::int64_t kSoon = 30;  // days

bool fits(const std::string& glob, const std::string& text) { return glob.empty() || glob_match(glob, text, true); }

bool is_waivable(Outcome outcome) { return outcome == Outcome::kFail || outcome == Outcome::kUnknown; }

AppliedWaiver applied(const Waiver& waiver, Outcome was) {
  return {waiver.reason, waiver.owner, format_date(waiver.expires), was};
}

// The waivers that may be used for one horizon of one rule on this host.
class HorizonWaivers {
 public:
  HorizonWaivers(std::vector<WaiverUse*> waivers, HorizonFinding& horizon)
      : waivers_(std::move(waivers)), horizon_(horizon), was_(horizon.outcome), gave_fail_(count(Outcome::kFail) > 0) {}

  void apply() {
    if (waivers_.empty()) return;
    for (auto& row : horizon_.rows) waive(row);
    waive_as_a_whole();
    horizon_.outcome = judge();
  }

 private:
  std::int64_t& count(Outcome outcome) { return horizon_.counts[outcome]; }

  void waive(RowFinding& row) {
    if (!is_waivable(row.outcome)) return;
    const Outcome was = row.outcome;
    for (auto* use : waivers_) {
      if (!fits(use->waiver.subject, row.subject) || !fits(use->waiver.file, row.file)) continue;
      ++use->matched;
      if (row.waiver) continue;
      row.waiver = applied(use->waiver, was);
      row.outcome = Outcome::kWaived;
      --count(was);
      ++count(Outcome::kWaived);
    }
  }

  // Rows that are not stored, a fail without rows and what could not be read have no subject and no file.
  void waive_as_a_whole() {
    const auto whole = std::find_if(waivers_.begin(), waivers_.end(),
                                    [](const WaiverUse* use) { return use->waiver.covers_whole_rule(); });
    if (whole == waivers_.end() || !is_waivable(was_)) return;
    const auto rest = count(Outcome::kFail) + count(Outcome::kUnknown);
    const bool is_more_than_rows = rest > 0 || !horizon_.gaps.empty() || (was_ == Outcome::kFail && !gave_fail_);
    if (!is_more_than_rows) return;
    count(Outcome::kWaived) += rest;
    count(Outcome::kFail) = count(Outcome::kUnknown) = 0;
    horizon_.waiver = applied((*whole)->waiver, was_);
    ++(*whole)->matched;
  }

  Outcome worst_row() const {
    Outcome worst = Outcome::kNotApplicable;
    for (const auto& [outcome, number] : horizon_.counts) worst = number > 0 ? worse(worst, outcome) : worst;
    return worst;
  }

  bool only_not_held() const {
    return horizon_.gaps.size() < Report::kMaxRows &&
           std::all_of(horizon_.gaps.begin(), horizon_.gaps.end(),
                       [](const Gap& gap) { return gap.cause == ErrorCode::kNotHeld; });
  }

  // As in scan/evaluate.h, over what is left. A horizon never gets better than waived by a waiver.
  Outcome judge() const {
    if (!is_waivable(was_)) return was_;
    const Outcome rows = worst_row();
    // Where a fail rests on what was not seen, failing rows are an unknown horizon: it stays one.
    if (rows == Outcome::kFail) return was_;
    if (horizon_.cut_off) return Outcome::kError;
    if (horizon_.waiver) return worse(rows, Outcome::kWaived);
    if (was_ == Outcome::kFail && !gave_fail_) return Outcome::kFail;
    if (!horizon_.gaps.empty())
      return only_not_held() ? worse(rows, Outcome::kNotEvaluated) : worse(rows, Outcome::kUnknown);
    // Unknown without rows and without gaps: nothing that a waiver could be about.
    return rows >= Outcome::kWaived ? rows : was_;
  }

  std::vector<WaiverUse*> waivers_;
  HorizonFinding& horizon_;
  const Outcome was_;
  const bool gave_fail_;
};

void drop_empty_counts(HorizonFinding& horizon) {
  std::erase_if(horizon.counts, [](const auto& entry) { return entry.second == 0; });
}

WaiverState state_of(const WaiverUse& use, const WaiverDay& day) {
  if (day.not_before && day.today < *day.not_before) return WaiverState::kNotUsed;
  return use.days_left < 0 ? WaiverState::kExpired : WaiverState::kUnmatched;
}

std::string place_of(const Waiver& waiver) {
  return concat({waiver.place.file, ":", std::to_string(waiver.place.line)});
}

// What is to be said of a waiver; empty when it does its work for some time to come.
std::string complaint(const WaiverUse& use, const Report& report) {
  const Waiver& waiver = use.waiver;
  const std::string which = concat({"the waiver of ", waiver.rule, " in ", place_of(waiver)});
  const std::string day = format_date(waiver.expires);
  if (use.state == WaiverState::kNotUsed)
    return concat({which, " is not used: the clock is older than the rules, so no date can be trusted"});
  if (use.state == WaiverState::kExpired)
    return concat({which, " expired on ", day, " (", waiver.owner, "); what it covered counts again"});
  if (use.state == WaiverState::kActive && use.days_left <= kSoon)
    return concat({which, " ends on ", day, " (", waiver.owner, ")"});
  const bool is_in_report = std::any_of(report.rules.begin(), report.rules.end(),
                                        [&](const RuleFinding& finding) { return finding.rule.id == waiver.rule; });
  // On other hosts, or where the rule is not asked, there is nothing to wonder about.
  const bool is_odd = use.state == WaiverState::kUnmatched && is_in_report && fits(waiver.host, report.host.name);
  return is_odd ? which + " covers nothing" : std::string();
}

void apply_to_rule(std::vector<WaiverUse>& uses, const std::string& host, RuleFinding& finding) {
  Outcome outcome = Outcome::kNotApplicable;
  for (auto& horizon : finding.horizons) {
    std::vector<WaiverUse*> usable;
    for (auto& use : uses) {
      const bool holds = use.state == WaiverState::kUnmatched || use.state == WaiverState::kActive;
      if (holds && use.waiver.rule == finding.rule.id && fits(use.waiver.host, host) &&
          fits(use.waiver.horizon, horizon.name))
        usable.push_back(&use);
    }
    if (!usable.empty()) {
      HorizonWaivers(std::move(usable), horizon).apply();
      drop_empty_counts(horizon);
    }
    outcome = worse(outcome, horizon.outcome);
  }
  finding.outcome = outcome;
}

}  // namespace

void apply_waivers(const std::vector<Waiver>& waivers, const WaiverDay& day, Report& report) {
  for (const auto& waiver : waivers) {
    WaiverUse use{waiver, WaiverState::kUnmatched, waiver.expires - day.today, 0};
    use.state = state_of(use, day);
    report.waivers.push_back(std::move(use));
  }
  for (auto& finding : report.rules) apply_to_rule(report.waivers, report.host.name, finding);
  for (auto& use : report.waivers) {
    if (use.matched > 0) use.state = WaiverState::kActive;
    if (auto sentence = complaint(use, report); !sentence.empty()) report.warnings.push_back(std::move(sentence));
  }
}

bool any_expires_within(const Report& report, std::int64_t days) {
  return std::any_of(report.waivers.begin(), report.waivers.end(),
                     [&](const WaiverUse& use) { return use.state == WaiverState::kActive && use.days_left <= days; });
}

}  // namespace gpuharden
