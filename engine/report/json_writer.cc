// SPDX-License-Identifier: GPL-2.0-or-later
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/report/writer.h"

namespace gpuharden {
namespace {

// Keys stay in the order in which they are written here.
using Json = nlohmann::ordered_json;

// "2026-11-30T02:39:41Z"
std::string format_time(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  std::string text(32, '\0');
  text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts));
  return text;
}

std::string clean(std::string_view text) { return replace_invalid_utf8(text); }

Json list_of(const std::vector<std::string>& texts) {
  Json out = Json::array();
  for (const auto& text : texts) out.push_back(clean(text));
  return out;
}

Json evidence_of(const std::vector<Evidence>& evidence) {
  Json out = Json::object();
  for (const auto& cell : evidence) {
    if (cell.kind == ValueKind::kInteger) {
      out[clean(cell.name)] = cell.integer;
    } else if (cell.kind == ValueKind::kText) {
      out[clean(cell.name)] = clean(cell.text);
    } else {
      out[clean(cell.name)] = nullptr;
    }
  }
  return out;
}

Json row_of(const RowFinding& row) {
  Json out = {{"subject", clean(row.subject)}, {"outcome", to_string(row.outcome)}, {"message", clean(row.message)}};
  if (!row.detail.empty()) out["detail"] = clean(row.detail);
  if (!row.file.empty()) out["file"] = clean(row.file);
  if (row.line > 0) out["line"] = row.line;
  out["evidence"] = evidence_of(row.evidence);
  out["fingerprint"] = row.fingerprint;
  return out;
}

Json gap_of(const Gap& gap) {
  return {{"table", gap.table},
          {"key", clean(gap.key)},
          {"column", gap.column},
          {"cause", to_string(gap.cause)},
          {"sentence", clean(gap.sentence)}};
}

Json counts_of(const std::map<Outcome, std::int64_t>& counts) {
  Json out = Json::object();
  for (const auto& [outcome, count] : counts) out[std::string(to_string(outcome))] = count;
  return out;
}

Json horizon_of(const HorizonFinding& horizon) {
  Json rows = Json::array();
  for (const auto& row : horizon.rows) rows.push_back(row_of(row));
  Json gaps = Json::array();
  for (const auto& gap : horizon.gaps) gaps.push_back(gap_of(gap));
  Json out = {{"name", horizon.name}, {"outcome", to_string(horizon.outcome)}};
  if (!horizon.reason.empty()) out["reason"] = clean(horizon.reason);
  out["counts"] = counts_of(horizon.counts);
  out["rows"] = std::move(rows);
  out["gaps"] = std::move(gaps);
  return out;
}

Json attack_of(const std::vector<AttackReference>& references) {
  Json out = Json::array();
  for (const auto& reference : references) {
    out.push_back({{"id", reference.id}, {"name", reference.name}, {"tactics", list_of(reference.tactics)}});
  }
  return out;
}

Json rule_of(const RuleFinding& finding) {
  const Rule& rule = finding.rule;
  Json horizons = Json::array();
  for (const auto& horizon : finding.horizons) horizons.push_back(horizon_of(horizon));
  Json fix = {{"automatic", !rule.fix.action.empty()}, {"manual", rule.manual}};
  if (!rule.fix.action.empty()) fix.update({{"action", rule.fix.action}, {"risk", rule.fix.risk}});
  return {{"id", rule.id},
          {"title", rule.title},
          {"severity", to_string(rule.severity)},
          {"maturity", to_string(rule.maturity)},
          {"outcome", to_string(finding.outcome)},
          {"required", finding.required},
          {"attack", attack_of(finding.attack)},
          {"atlas", list_of(rule.atlas)},
          {"controls", rule.controls},
          {"tags", list_of(rule.tags)},
          {"why", rule.why},
          {"references", list_of(rule.references)},
          {"fix", std::move(fix)},
          {"horizons", std::move(horizons)}};
}

Json totals_of(const Report& report) {
  const auto counts = totals(report);
  Json by_outcome = Json::object();
  for (const auto outcome : {Outcome::kFail, Outcome::kError, Outcome::kUnknown, Outcome::kWaived,
                             Outcome::kNotEvaluated, Outcome::kPass, Outcome::kNotApplicable}) {
    const auto found = counts.find(outcome);
    by_outcome[std::string(to_string(outcome))] = found == counts.end() ? 0 : found->second;
  }
  Json failed = Json::object();
  for (const auto severity :
       {Severity::kCritical, Severity::kHigh, Severity::kMedium, Severity::kLow, Severity::kInfo}) {
    std::int64_t count = 0;
    for (const auto& rule : report.rules)
      count += rule.outcome == Outcome::kFail && rule.rule.severity == severity ? 1 : 0;
    failed[std::string(to_string(severity))] = count;
  }
  return {{"outcomes", std::move(by_outcome)}, {"failed_by_severity", std::move(failed)}};
}

}  // namespace

std::string write_json(const Report& report, const WriterOptions&) {
  Json rules = Json::array();
  for (const auto& rule : report.rules) rules.push_back(rule_of(rule));
  const auto& host = report.host;
  Json out = {{"format", "gpuharden.report/1"},
              {"tool",
               {{"name", "gpuharden"},
                {"version", report.tool_version},
                {"rules_digest", report.rules_digest},
                {"rules_trust", report.rules_trust}}},
              {"host",
               {{"name", clean(host.name)},
                {"kind", host.kind},
                {"os", clean(host.os)},
                {"kernel", clean(host.kernel)},
                {"machine", clean(host.machine)},
                {"boot_id", clean(host.boot_id)},
                {"gpus", list_of(host.gpus)},
                {"privileged", host.privileged}}},
              {"profile", report.profile},
              {"started", format_time(report.started)},
              {"duration_us", report.duration_us},
              {"gate", to_string(report.gate)},
              {"exit_code", report.exit_code},
              {"totals", totals_of(report)},
              {"warnings", list_of(report.warnings)},
              {"not_selected", list_of(report.not_selected)},
              {"rules", std::move(rules)}};
  return out.dump(2) + "\n";
}

}  // namespace gpuharden
