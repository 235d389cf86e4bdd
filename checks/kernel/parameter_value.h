// SPDX-License-Identifier: GPL-2.0-or-later
// Values of module parameters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

// As the kernel reads an integer or boolean parameter: base 0, so that 660 is not 0660; Y is 1, N is 0.
std::optional<std::int64_t> parse_parameter_number(std::string_view value);

// "Key: value" lines of /proc/driver/nvidia/params by the name of the module option that sets each.
std::map<std::string, std::string> parse_nvidia_params(std::string_view text);

}  // namespace gpuharden
