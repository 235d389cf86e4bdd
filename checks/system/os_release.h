// SPDX-License-Identifier: GPL-2.0-or-later
// The os-release(5) format.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace gpuharden {

// NAME=value lines with shell quoting; comments and lines that are no assignment are passed over,
// the last of several assignments wins.
std::map<std::string, std::string, std::less<>> parse_os_release(std::string_view text);

}  // namespace gpuharden
