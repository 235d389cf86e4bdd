// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/report/items.h"

#include <array>
#include <map>

#include "engine/base/digest.h"
#include "engine/base/text.h"
#include "engine/report/words.h"

namespace gpuharden {
namespace {

std::string identity_of(std::initializer_list<std::string_view> parts) { return digest_of(parts).substr(0, 32); }

const AppliedWaiver* address_of(const std::optional<AppliedWaiver>& waiver) { return waiver ? &*waiver : nullptr; }

ReportItem row_item(const RuleFinding& finding, const HorizonFinding& horizon, const RowFinding& row) {
  return {&finding,    &horizon, &row, row.outcome, row.message, row_identity(horizon, row), 1, address_of(row.waiver),
          row.baseline};
}

// Rows that were counted and not stored.
ReportItem more_item(const RuleFinding& finding, const HorizonFinding& horizon, Outcome outcome, std::int64_t count) {
  const std::string number = std::to_string(count);
  return {&finding,
          &horizon,
          nullptr,
          outcome,
          concat({number, " more that ", outcome == Outcome::kFail ? "fail" : concat({"are ", to_string(outcome)}),
                  " and are not listed"}),
          identity_of({finding.rule.id, horizon.name, "more", to_string(outcome)}),
          count,
          address_of(horizon.waiver),
          horizon.baseline};
}

std::string horizon_message(const RuleFinding& finding, const HorizonFinding& horizon) {
  if (!horizon.reason.empty()) return horizon.reason;
  if (horizon.outcome == Outcome::kUnknown && !horizon.gaps.empty()) return horizon.gaps.front().sentence;
  return finding.rule.title;
}

}  // namespace

ReportItem remainder_item(const RuleFinding& finding, std::int64_t count) {
  return {&finding,
          &finding.horizons.front(),
          nullptr,
          finding.outcome,
          concat({std::to_string(count), " more findings of this rule are not listed here"}),
          identity_of({finding.rule.id, "remainder"}),
          count,
          nullptr,
          BaselineState::kNone};
}

std::string horizon_identity(const RuleFinding& finding, const HorizonFinding& horizon) {
  return identity_of({finding.rule.id, horizon.name, "horizon"});
}

std::string row_identity(const HorizonFinding& horizon, const RowFinding& row) {
  return horizon.name == "now" ? row.fingerprint : identity_of({row.fingerprint, horizon.name});
}

std::vector<ReportItem> items_of(const RuleFinding& finding) {
  std::vector<ReportItem> items;
  for (const auto& horizon : finding.horizons) {
    std::map<Outcome, std::int64_t> shown;
    for (const auto& row : horizon.rows) {
      items.push_back(row_item(finding, horizon, row));
      ++shown[row.outcome];
    }
    for (const auto outcome : {Outcome::kFail, Outcome::kError, Outcome::kUnknown, Outcome::kWaived}) {
      const auto missing = count_of(horizon.counts, outcome) - count_of(shown, outcome);
      if (missing <= 0) continue;
      items.push_back(more_item(finding, horizon, outcome, missing));
      shown[outcome] += missing;
    }
    if (shown.contains(horizon.outcome)) continue;
    items.push_back({&finding, &horizon, nullptr, horizon.outcome, horizon_message(finding, horizon),
                     horizon_identity(finding, horizon), 1, address_of(horizon.waiver), horizon.baseline});
  }
  return items;
}

}  // namespace gpuharden
