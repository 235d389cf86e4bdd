// SPDX-License-Identifier: GPL-2.0-or-later
// The parts of a SARIF 2.1.0 log that GitHub code scanning takes. Texts are valid UTF-8 and within its limits.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/model/report.h"
#include "engine/report/items.h"
#include "engine/report/writer.h"

namespace gpuharden {

// Keys stay in the order in which they are written.
using SarifJson = nlohmann::ordered_json;

// What GitHub refuses a whole file for, and where we stop before it.
struct SarifLimits {
  std::size_t results = 25'000;
  std::size_t rules = 25'000;
  std::size_t tags = 20;
  std::size_t description = 1'024;
  std::size_t message = 8'192;
  std::size_t evidence = 4'096;
  // Of 10 MB compressed: what comes from the host counts in full, our own repeated words by what is left of them.
  std::size_t bytes = 9'000'000;
};

// What was left out, as sentences for the invocation's notifications.
struct SarifCuts {
  std::size_t results = 0;  // of the least severe
  std::size_t rules = 0;
  std::size_t tags = 0;
  std::size_t texts = 0;
  std::vector<std::string> sentences(const SarifLimits& limits) const;
};

// "error", "warning" or "note": what the gate of a pipeline reads.
std::string_view sarif_level(Severity severity);

// A reportingDescriptor; relationships lead into sarif_taxonomies.
SarifJson sarif_rule(const RuleFinding& finding, const SarifLimits& limits, SarifCuts& cuts);
// ATT&CK and ATLAS, as far as the rules name them; empty when they name none.
SarifJson sarif_taxonomies(const std::vector<const RuleFinding*>& rules);

// One result. `occurrence` counts results of the same identity, from 1.
SarifJson sarif_result(const ReportItem& item, std::size_t rule_index, std::size_t occurrence,
                       const SarifLimits& limits, SarifCuts& cuts);
// What of a result comes from the host, in bytes.
std::size_t sarif_cost(const ReportItem& item, const SarifLimits& limits);

constexpr std::string_view kSarifSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
// tool.driver without its rules.
SarifJson sarif_driver(std::string_view tool_version);
// What the results' relative references are relative to.
SarifJson sarif_base_ids();

}  // namespace gpuharden
