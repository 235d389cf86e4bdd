// SPDX-License-Identifier: GPL-2.0-or-later
// The text format of systemd units and of system.conf (systemd.syntax(7)).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct UnitAssignment {
  std::string_view section, name, value;  // of the UnitText that holds them
  std::uint32_t line = 0;                 // where the assignment begins, from 1
};

// A parsed file; it owns what its assignments point at, so it is never copied.
struct UnitText {
  UnitText() = default;
  UnitText(const UnitText&) = delete;
  UnitText& operator=(const UnitText&) = delete;

  std::string bytes;
  std::deque<std::string> joined;  // values that were continued over lines
  std::vector<UnitAssignment> assignments;
  std::vector<std::uint32_t> bad_lines;  // neither comment, section nor assignment: systemd ignores them too
};

// Never fails. As systemd reads it: \n, \r and NUL end lines; '#' and ';' begin comments only at
// the start of a line, also between continued lines; a trailing backslash joins the next line.
std::shared_ptr<const UnitText> parse_unit_text(std::string bytes);

}  // namespace gpuharden
