// SPDX-License-Identifier: GPL-2.0-or-later
// The modprobe.d(5) format, read as libkmod reads it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct ModprobeLine {
  std::string command;     // blacklist, options, install, remove, alias, softdep
  std::string module;      // normalised; of an alias, the alias
  std::string argument;    // the rest as written: options, command, module of an alias
  std::uint32_t line = 0;  // where it starts, from 1
  bool operator==(const ModprobeLine&) const = default;
};

// A backslash joins lines and else drops itself. A carriage return is a character like any other:
// "blacklist nouveau\r" does not blacklist nouveau. Unknown or incomplete lines get their number
// into `bad_lines`: libkmod passes over them.
std::vector<ModprobeLine> parse_modprobe_conf(std::string_view text, std::vector<std::uint32_t>& bad_lines);

struct ModuleOption {
  std::string name;   // normalised
  std::string value;  // "" for an option without '='
};

// The argument of an options line: "a=1 b=\"x y\" c".
std::vector<ModuleOption> parse_module_options(std::string_view argument);

}  // namespace gpuharden
