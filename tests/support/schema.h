// SPDX-License-Identifier: GPL-2.0-or-later
// Documents against published schemas, by valijson.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpuharden::test {

// Nothing when the document is of the schema (a file of the repository, draft 4 or 7), else what is wrong.
std::string violations(const nlohmann::json& document, const std::string& schema_file);

// The same, and what the schema does not describe is wrong too.
std::string violations_or_undescribed(const nlohmann::json& document, const std::string& schema_file);

}  // namespace gpuharden::test
