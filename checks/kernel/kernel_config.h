// SPDX-License-Identifier: GPL-2.0-or-later
// The options that a kernel was built with.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace gpuharden {

// CONFIG_X lines by name: y, m, a number or a text without quotes; "n" for "# CONFIG_X is not set".
std::map<std::string, std::string, std::less<>> parse_kernel_config(std::string_view text);

}  // namespace gpuharden
