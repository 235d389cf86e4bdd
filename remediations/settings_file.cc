// SPDX-License-Identifier: GPL-2.0-or-later
#include "remediations/settings_file.h"

namespace gpuharden {

Result<std::string> set_line(std::string_view text, std::string_view start, std::string_view line) {
  // What comes from a row must stay one line.
  if (line.find('\n') != std::string_view::npos || line.find('\0') != std::string_view::npos)
    return Error{ErrorCode::kMalformed, "a setting with a line break in it"};
  std::string out;
  bool is_set = false;
  for (const auto old : split(text, '\n')) {
    if (old.empty() && out.size() + 1 >= text.size()) continue;  // after the last newline
    const bool is_it = old.starts_with(start);
    if (is_it && is_set) continue;
    out += concat({is_it ? line : old, "\n"});
    is_set = is_set || is_it;
  }
  if (text.empty()) out = "# Written by gpuharden; gpuharden rollback takes it back.\n";
  if (!is_set) out += concat({line, "\n"});
  return out;
}

}  // namespace gpuharden
