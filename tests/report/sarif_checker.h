// SPDX-License-Identifier: GPL-2.0-or-later
// What GitHub code scanning asks of a SARIF log beyond the schema, which accepts most files that it refuses.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gpuharden::test {

// One sentence for each thing for which an upload would be refused, or a result shown wrong.
std::vector<std::string> ingestion_faults(const nlohmann::json& log);

}  // namespace gpuharden::test
