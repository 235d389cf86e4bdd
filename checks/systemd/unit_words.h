// SPDX-License-Identifier: GPL-2.0-or-later
// Words of a unit's value: quotes and escapes of systemd.syntax(7).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

// The blank-separated words without their quotes and with C escapes resolved. An unclosed quote
// runs to the end; an unknown escape stays as it is.
std::vector<std::string> split_unit_words(std::string_view value);

// One line of ExecStart= and its kin.
struct UnitCommand {
  std::string flags;               // the prefix characters, of "@-:+!|"
  std::vector<std::string> words;  // the executable first; may be empty
};
UnitCommand parse_unit_command(std::string_view value);

// Whether text is one of 1, yes, y, true, t, on as systemd reads booleans.
bool is_true_word(std::string_view text);

}  // namespace gpuharden
