// SPDX-License-Identifier: GPL-2.0-or-later
// Which right each /dev/nvidia-caps node stands for (/proc/driver/nvidia/capabilities).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/host/host.h"

namespace gpuharden {

struct NvidiaCapability {
  std::string name;  // "mig/config", "gpu0/mig/gi2/access"
  std::uint32_t minor = 0;
  std::uint32_t mode = 0;  // that the driver wants
};

struct NvidiaCapabilities {
  std::map<std::uint32_t, NvidiaCapability> by_minor;
  std::vector<Error> errors;
};

// "DeviceFileMinor: 1", "DeviceFileMode: 256": decimal numbers. Nothing when one is missing.
std::optional<NvidiaCapability> parse_nvidia_capability(std::string_view text);

// Every file below the folder; a driver that is not loaded has none.
NvidiaCapabilities read_nvidia_capabilities(const Host& host);

}  // namespace gpuharden
