// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/cli/stored_fleet.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/report/json_parts.h"
#include "engine/report/words.h"
#include "engine/report/writer.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMostRules = 25'000;

FleetHost host_of(const Report& report) {
  return {report.host,    report.profile,   report.tool_version, report.rules_digest,
          report.started, report.exit_code, totals(report),      failed_by_severity(report)};
}

// What the rule is, without what one host found.
RuleFinding without_findings(const RuleFinding& finding) {
  RuleFinding out = finding;
  out.horizons.clear();
  return out;
}

StoredFinding stored(const ReportItem& item, const std::string& identity) {
  return {identity,
          static_cast<std::int64_t>(item.outcome),
          static_cast<std::int64_t>(item.rule->rule.severity),
          item.rule->rule.id,
          write_item(item),
          {}};
}

}  // namespace

Result<StoredFleet> StoredFleet::create() {
  GH_ASSIGN_OR_RETURN(auto store, FindingStore::create());
  return StoredFleet(std::move(store));
}

Status StoredFleet::add(const Report& report) {
  const auto host = static_cast<std::uint32_t>(hosts_.size());
  hosts_.push_back(host_of(report));
  for (const auto& finding : report.rules) GH_RETURN_IF_ERROR(add_rule(finding, host));
  return {};
}

Status StoredFleet::add_rule(const RuleFinding& finding, std::uint32_t host) {
  const auto [entry, is_new] = rule_index_.try_emplace(finding.rule.id, rules_.size());
  if (is_new) rules_.push_back({without_findings(finding), {}});
  if (rules_.size() > kMostRules) return Error{ErrorCode::kTooLarge, "more than 25000 different rules"};
  FleetRule& rule = rules_[entry->second];
  ++rule.hosts[finding.outcome];
  rule.finding.outcome = worse(rule.finding.outcome, finding.outcome);
  rule.finding.rule.severity = std::max(rule.finding.rule.severity, finding.rule.severity);
  std::map<std::string, int> seen;
  for (const auto& item : items_of(finding)) {
    if (item.outcome < Outcome::kWaived) continue;
    const int which = ++seen[item.identity];
    // Several findings of one identity on one host stay several.
    const std::string identity = which == 1 ? item.identity : concat({item.identity, ".", std::to_string(which)});
    GH_RETURN_IF_ERROR(store_->add(stored(item, identity), host));
  }
  return {};
}

Status StoredFleet::each_finding(const std::function<void(const FleetFinding&)>& take) const {
  Status good;
  GH_RETURN_IF_ERROR(store_->each([&](const StoredFinding& each) {
    auto finding = read_item(each.payload);
    if (!finding) {
      good = std::move(finding.error());
      return;
    }
    finding->rule = rule_index_.find(each.rule)->second;
    finding->identity = each.identity;
    finding->outcome = static_cast<Outcome>(each.outcome);
    for (const auto& [host, outcome] : each.hosts) finding->hosts[static_cast<Outcome>(outcome)].push_back(host);
    take(*finding);
  }));
  return good;
}

}  // namespace gpuharden
