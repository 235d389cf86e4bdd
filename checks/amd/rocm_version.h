// SPDX-License-Identifier: GPL-2.0-or-later
// ROCm's version as its files write it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

// The release in the text of .info/version or in the end of a folder's name: "7.2.1-43" and "7.2.1" give
// 7.2.1. Nothing for what is no dotted number.
std::optional<std::string> parse_rocm_version(std::string_view text);

}  // namespace gpuharden
