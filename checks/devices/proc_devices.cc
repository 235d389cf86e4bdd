// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/devices/proc_devices.h"

#include "engine/base/text.h"

namespace gpuharden {

std::vector<CharacterDriver> parse_proc_devices(std::string_view text) {
  std::vector<CharacterDriver> drivers;
  bool in_section = false;
  for (const auto line : split(text, '\n')) {
    if (line.find(':') != std::string_view::npos) in_section = line.starts_with("Character devices:");
    const auto words = split_words(line);
    if (!in_section || words.size() != 2) continue;
    const auto number = parse_unsigned(words[0]);
    if (number && *number <= UINT32_MAX)
      drivers.push_back({static_cast<std::uint32_t>(*number), std::string(words[1])});
  }
  return drivers;
}

bool is_gpu_driver(std::string_view name) {
  return name.starts_with("nvidia") || name == "kfd" || name == "drm" || name == "accel";
}

}  // namespace gpuharden
