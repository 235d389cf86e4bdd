// SPDX-License-Identifier: GPL-2.0-or-later
#include <nlohmann/json.hpp>

#include "engine/base/date.h"
#include "engine/base/text.h"
#include "engine/report/json_parts.h"
#include "engine/report/words.h"
#include "engine/report/writer.h"

namespace gpuharden {
namespace {

// Keys stay in the order in which they are written here.
using Json = nlohmann::ordered_json;

std::string clean(std::string_view text) { return replace_invalid_utf8(text); }

Json list_of(const std::vector<std::string>& texts) {
  Json out = Json::array();
  for (const auto& text : texts) out.push_back(clean(text));
  return out;
}

Json gap_of(const Gap& gap) {
  return {{"table", gap.table},
          {"key", clean(gap.key)},
          {"column", gap.column},
          {"cause", to_string(gap.cause)},
          {"sentence", clean(gap.sentence)}};
}

Json horizon_of(const HorizonFinding& horizon) {
  Json rows = Json::array();
  for (const auto& row : horizon.rows) rows.push_back(row_json(row));
  Json gaps = Json::array();
  for (const auto& gap : horizon.gaps) gaps.push_back(gap_of(gap));
  Json out = {{"name", horizon.name}, {"outcome", to_string(horizon.outcome)}};
  if (!horizon.reason.empty()) out["reason"] = clean(horizon.reason);
  if (horizon.cut_off) out["cut_off"] = true;
  add_states(out, horizon.waiver, horizon.baseline);
  out["counts"] = counts_json(horizon.counts);
  out["rows"] = std::move(rows);
  out["gaps"] = std::move(gaps);
  return out;
}

Json rule_of(const RuleFinding& finding) {
  Json horizons = Json::array();
  for (const auto& horizon : finding.horizons) horizons.push_back(horizon_of(horizon));
  Json out = rule_json(finding);
  out["horizons"] = std::move(horizons);
  return out;
}

Json waiver_of(const WaiverUse& use) {
  const Waiver& waiver = use.waiver;
  Json out = {{"rule", clean(waiver.rule)},    {"reason", clean(waiver.reason)},
              {"owner", clean(waiver.owner)},  {"expires", format_date(waiver.expires)},
              {"state", to_string(use.state)}, {"days_left", use.days_left},
              {"matched", use.matched}};
  for (const auto& [name, text] : {std::pair{"subject", &waiver.subject}, std::pair{"file", &waiver.file},
                                   std::pair{"host", &waiver.host}, std::pair{"horizon", &waiver.horizon}}) {
    if (!text->empty()) out[name] = clean(*text);
  }
  out["from"] = clean(waiver.place.file);
  out["from_line"] = waiver.place.line;
  return out;
}

Json totals_of(const Report& report) {
  const auto counts = totals(report);
  Json by_outcome = Json::object();
  for (const auto outcome : kOutcomesWorstFirst)
    by_outcome[std::string(to_string(outcome))] = count_of(counts, outcome);
  Json failed = Json::object();
  const auto by_severity = failed_by_severity(report);
  for (const auto severity : kSeveritiesWorstFirst) failed[std::string(to_string(severity))] = by_severity.at(severity);
  return {{"outcomes", std::move(by_outcome)}, {"failed_by_severity", std::move(failed)}};
}

}  // namespace

std::string write_json(const Report& report, const WriterOptions&) {
  Json rules = Json::array();
  for (const auto& rule : report.rules) rules.push_back(rule_of(rule));
  Json waivers = Json::array();
  for (const auto& use : report.waivers) waivers.push_back(waiver_of(use));
  Json out = {{"format", "gpuharden.report/1"},
              {"tool",
               {{"name", "gpuharden"},
                {"version", report.tool_version},
                {"rules_digest", report.rules_digest},
                {"rules_trust", report.rules_trust}}},
              {"host", host_json(report.host)},
              {"profile", report.profile},
              {"started", format_time(report.started)},
              {"duration_us", report.duration_us},
              {"gate", to_string(report.gate)},
              {"exit_code", report.exit_code},
              {"totals", totals_of(report)},
              {"waivers", std::move(waivers)},
              {"warnings", list_of(report.warnings)},
              {"not_selected", list_of(report.not_selected)},
              {"rules", std::move(rules)}};
  if (report.waivers.empty()) out.erase("waivers");
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpuharden
