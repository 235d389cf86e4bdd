// SPDX-License-Identifier: GPL-2.0-or-later
// The adduser.conf(5) format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct AdduserSetting {
  std::string name;
  std::string value;  // without quotes
  std::uint32_t line = 0;
};

// One entry a name, the last assignment wins; comments and other lines are left out, as adduser does.
std::vector<AdduserSetting> parse_adduser_conf(std::string_view text);

}  // namespace gpuharden
