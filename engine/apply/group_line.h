// SPDX-License-Identifier: GPL-2.0-or-later
// A group's line in group(5) or gshadow(5), to be edited in place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct GroupLine {
  std::size_t start = 0;   // of the list of members, in the file's text
  std::size_t length = 0;  // of it
  std::vector<std::string> members;
};

// The first line with four fields of that name; nothing where there is none.
std::optional<GroupLine> find_group(std::string_view text, std::string_view group);

}  // namespace gpuharden
