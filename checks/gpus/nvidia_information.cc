// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/gpus/nvidia_information.h"

#include "engine/base/text.h"

namespace gpuharden {

NvidiaInformation parse_nvidia_information(std::string_view text) {
  NvidiaInformation information;
  for (const auto line : split(text, '\n')) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const auto name = trim(line.substr(0, colon));
    const auto value = trim(line.substr(colon + 1));
    if (value.empty()) continue;
    if (name == "Model") information.model = std::string(value);
    if (name == "GPU Firmware" && value != "N/A") information.firmware = std::string(value);
    if (name == "GPU Excluded") information.is_excluded = value == "Yes";
    if (name != "Device Minor") continue;
    const auto number = parse_unsigned(value);
    if (number && *number <= UINT32_MAX) information.minor = static_cast<std::uint32_t>(*number);
  }
  return information;
}

}  // namespace gpuharden
