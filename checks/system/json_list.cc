// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/system/json_list.h"

#include <nlohmann/json.hpp>

namespace gpuharden {

std::string json_list(const std::vector<std::string>& texts) {
  return nlohmann::json(texts).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace gpuharden
