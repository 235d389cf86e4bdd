// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "checks/devices/udev_rule.h"
#include "checks/devices/udev_simulation.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::uint32_t> bad_lines;
  const auto rules = gpuharden::parse_udev_rules(text, bad_lines);
  for (const auto& device : gpuharden::udev_gpu_devices()) static_cast<void>(gpuharden::run_udev_rules(rules, device));
  return 0;
}
