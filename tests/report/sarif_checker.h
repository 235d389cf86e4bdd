// SPDX-License-Identifier: GPL-2.0-or-later
// SARIF logs, and what GitHub code scanning asks of them beyond the schema, which accepts most files that it refuses.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/report/writer.h"

namespace gpuharden::test {

// One sentence for each thing for which an upload would be refused, or a result shown wrong.
std::vector<std::string> ingestion_faults(const nlohmann::json& log);

nlohmann::json sarif_of(const Report& report, const WriterOptions& options = {});
// The first failing result of the rule; throws where there is none.
nlohmann::json result_of(const nlohmann::json& log, const std::string& rule);

}  // namespace gpuharden::test
