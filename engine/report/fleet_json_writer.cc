// SPDX-License-Identifier: GPL-2.0-or-later
// gpuharden.fleet/1. Hosts are named by their place in the list of hosts.
#include "engine/base/text.h"
#include "engine/report/fleet_writer.h"
#include "engine/report/json_parts.h"
#include "engine/report/words.h"

namespace gpuharden {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json json_of(const FleetHost& host) {
  Json out = host_json(host.host);
  Json failed = Json::object();
  for (const auto severity : kSeveritiesWorstFirst) {
    const auto found = host.failed.find(severity);
    failed[std::string(to_string(severity))] = found == host.failed.end() ? 0 : found->second;
  }
  out.update(Json{{"profile", host.profile},
                  {"tool_version", host.tool_version},
                  {"rules_digest", host.rules_digest},
                  {"started", format_time(host.started)},
                  {"exit_code", host.exit_code},
                  {"outcomes", counts_json(host.outcomes)},
                  {"failed_by_severity", std::move(failed)}});
  return out;
}

Json json_of(const FleetRule& rule) {
  Json out = rule_json(rule.finding);
  out["hosts"] = counts_json(rule.hosts);
  return out;
}

Json json_of(const FleetFinding& finding, const Fleet& fleet) {
  Json out = {{"rule", fleet.rules()[finding.rule].finding.rule.id},
              {"horizon", finding.horizon},
              {"outcome", to_string(finding.outcome)},
              {"identity", finding.identity},
              {"message", replace_invalid_utf8(finding.message)}};
  if (finding.count > 1) out["count"] = finding.count;
  if (finding.has_row) out["row"] = row_json(finding.row);
  add_states(out, finding.waiver, BaselineState::kNone);
  Json hosts = Json::object();
  for (const auto& [outcome, indices] : finding.hosts) hosts[std::string(to_string(outcome))] = indices;
  out["hosts"] = std::move(hosts);
  return out;
}

template <typename List, typename Function>
void write_list(const Sink& sink, std::string_view name, const List& list, Function json) {
  sink(concat({"  \"", name, "\": [\n"}));
  bool is_first = true;
  for (const auto& each : list) {
    sink(concat({is_first ? "    " : ",\n    ", dump(json(each))}));
    is_first = false;
  }
  sink("\n  ],\n");
}

}  // namespace

Status write_fleet_json(const Fleet& fleet, const Sink& sink) {
  sink("{\n  \"format\": \"gpuharden.fleet/1\",\n");
  write_list(sink, "warnings", fleet.warnings(),
             [](const std::string& text) { return Json(replace_invalid_utf8(text)); });
  write_list(sink, "hosts", fleet.hosts(), [](const FleetHost& host) { return json_of(host); });
  write_list(sink, "rules", fleet.rules(), [](const FleetRule& rule) { return json_of(rule); });
  sink("  \"findings\": [\n");
  bool is_first = true;
  GH_RETURN_IF_ERROR(fleet.each_finding([&](const FleetFinding& finding) {
    sink(concat({is_first ? "    " : ",\n    ", dump(json_of(finding, fleet))}));
    is_first = false;
  }));
  sink("\n  ]\n}\n");
  return {};
}

}  // namespace gpuharden
