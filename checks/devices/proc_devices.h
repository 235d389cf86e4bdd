// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's list of device drivers (/proc/devices).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct CharacterDriver {
  std::uint32_t major = 0;
  std::string name;
};

// The section "Character devices:" alone; other lines are left out.
std::vector<CharacterDriver> parse_proc_devices(std::string_view text);

// Whether a driver of this name hands out GPU nodes: nvidia…, kfd, drm, accel.
bool is_gpu_driver(std::string_view name);

}  // namespace gpuharden
