// SPDX-License-Identifier: GPL-2.0-or-later
// Version strings of the NVIDIA driver.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

struct NvidiaModuleVersion {
  std::string version;   // 550.90.07
  bool is_open = false;  // built from the open kernel modules
};

// The text of /proc/driver/nvidia/version; nothing when it holds no version.
std::optional<NvidiaModuleVersion> parse_nvidia_version(std::string_view text);

// "550.107.02" of "libcuda.so.550.107.02"; nothing for other names and for plain soname numbers.
std::optional<std::string> version_of_library(std::string_view file_name, std::string_view library);

}  // namespace gpuharden
