// SPDX-License-Identifier: GPL-2.0-or-later
// Which library a driver's manifest names: OpenCL, Vulkan and EGL loaders open it in each process.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

// An OpenCL .icd file: its first line, without blanks around it. Empty when it has none.
std::string parse_opencl_icd(std::string_view text);

// The library_path of "ICD", "layer" and each of "layers" in a Vulkan or EGL manifest; nothing when
// the text is no JSON object.
std::optional<std::vector<std::string>> parse_icd_json(std::string_view text);

}  // namespace gpuharden
