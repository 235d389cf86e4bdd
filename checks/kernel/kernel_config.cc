// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/kernel_config.h"

#include "engine/base/text.h"

namespace gpuharden {

std::map<std::string, std::string, std::less<>> parse_kernel_config(std::string_view text) {
  constexpr std::string_view kNotSet = " is not set";
  std::map<std::string, std::string, std::less<>> options;
  for (auto line : split(text, '\n')) {
    line = trim(line);
    if (line.starts_with("# CONFIG_") && line.ends_with(kNotSet)) {
      line.remove_prefix(2);
      line.remove_suffix(kNotSet.size());
      options.insert_or_assign(std::string(line), "n");
      continue;
    }
    const auto equals = line.find('=');
    if (!line.starts_with("CONFIG_") || equals == std::string_view::npos) continue;
    auto value = line.substr(equals + 1);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    options.insert_or_assign(std::string(line.substr(0, equals)), value);
  }
  return options;
}

}  // namespace gpuharden
