// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/group_line.h"

#include <algorithm>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// The last of them is the list of members.
constexpr std::size_t kFields = 4;

}  // namespace

std::optional<GroupLine> find_group(std::string_view text, std::string_view group) {
  std::size_t start = 0;
  while (start < text.size()) {
    const auto end = std::min(text.find('\n', start), text.size());
    const auto fields = split(text.substr(start, end - start), ':');
    if (fields.size() == kFields && fields[0] == group) {
      GroupLine line;
      line.length = fields[3].size();
      line.start = end - line.length;
      for (const auto member : split(fields[3], ',')) {
        if (!member.empty()) line.members.emplace_back(member);
      }
      return line;
    }
    start = end + 1;
  }
  return std::nullopt;
}

}  // namespace gpuharden
