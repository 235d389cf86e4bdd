// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/audit/string_list.h"

#include <nlohmann/json.hpp>

#include "engine/base/text.h"

namespace gpuharden {

Result<std::vector<std::string>> parse_string_list(std::string_view json) {
  const auto list = nlohmann::json::parse(json, nullptr, false);
  const Error malformed{ErrorCode::kMalformed, concat({"\"", json, "\": not a JSON list of texts"})};
  if (!list.is_array()) return malformed;
  std::vector<std::string> texts;
  for (const auto& item : list) {
    if (!item.is_string()) return malformed;
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

}  // namespace gpuharden
