// SPDX-License-Identifier: GPL-2.0-or-later
// What NVIDIA's driver tells of one GPU (/proc/driver/nvidia/gpus/ADDRESS/information).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

struct NvidiaInformation {
  std::optional<std::string> model;
  std::optional<std::string> firmware;  // of the GPU System Processor; nothing when it is not used
  std::optional<std::uint32_t> minor;   // of /dev/nvidiaN
  std::optional<bool> is_excluded;      // taken out of use by a parameter of the module
};

// Lines "Name: value"; what is unknown is left out.
NvidiaInformation parse_nvidia_information(std::string_view text);

}  // namespace gpuharden
