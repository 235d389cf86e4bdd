// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/parameter_value.h"

#include "engine/base/text.h"

namespace gpuharden {

std::optional<std::int64_t> parse_parameter_number(std::string_view value) {
  if (value == "Y" || value == "y") return 1;
  if (value == "N" || value == "n") return 0;
  return parse_c_integer(value);
}

std::map<std::string, std::string> parse_nvidia_params(std::string_view text) {
  std::map<std::string, std::string> params;
  for (const auto line : split(text, '\n')) {
    const auto colon = line.find(':');
    const auto key = trim(line.substr(0, colon));
    if (colon == std::string_view::npos || key.empty()) continue;
    auto value = trim(line.substr(colon + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    // The one option that the driver calls otherwise.
    const auto name =
        key == "RmProfilingAdminOnly" ? std::string("NVreg_RestrictProfilingToAdminUsers") : concat({"NVreg_", key});
    params.emplace(name, value);
  }
  return params;
}

}  // namespace gpuharden
