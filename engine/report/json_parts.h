// SPDX-License-Identifier: GPL-2.0-or-later
// Parts of the JSON report that other documents hold as well.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/base/result.h"
#include "engine/model/fleet.h"
#include "engine/report/items.h"

namespace gpuharden {

nlohmann::ordered_json host_json(const HostSummary& host);
nlohmann::ordered_json row_json(const RowFinding& row);
// Adds "waiver" and "baseline" where there are such.
void add_states(nlohmann::ordered_json& out, const std::optional<AppliedWaiver>& waiver, BaselineState baseline);
// What is known of a rule before anything is judged: id to fix.
nlohmann::ordered_json rule_json(const RuleFinding& finding);
nlohmann::ordered_json counts_json(const std::map<Outcome, std::int64_t>& counts);

// A finding as one text, to be put away and read back; without the rule and its hosts.
std::string write_item(const ReportItem& item);
Result<FleetFinding> read_item(std::string_view json);

}  // namespace gpuharden
