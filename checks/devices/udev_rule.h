// SPDX-License-Identifier: GPL-2.0-or-later
// The text of udev rules, as udev(7) describes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct UdevToken {
  std::string key;        // KERNEL, ATTR, RUN
  std::string attribute;  // in braces: "size" of ATTR{size}; empty when there are none
  std::string operation;  // ==, !=, =, +=, -=, :=
  std::string value;
  bool is_match() const { return operation == "==" || operation == "!="; }
  bool operator==(const UdevToken&) const = default;
};

struct UdevRule {
  std::uint32_t line = 0;  // its first one, from 1
  std::vector<UdevToken> tokens;
  // The first assignment to that key; nullptr when there is none.
  const UdevToken* assignment(std::string_view key) const;
};

// Lines that end in a backslash go on. A line that udev would refuse gets its number into
// `bad_lines` and is left out whole, as udev does.
std::vector<UdevRule> parse_udev_rules(std::string_view text, std::vector<std::uint32_t>& bad_lines);

}  // namespace gpuharden
