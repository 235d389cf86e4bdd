// SPDX-License-Identifier: GPL-2.0-or-later
// What a shell's start-up file sets, without running it. Approximate by nature: conditions are not
// evaluated, files it sources are named and not followed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checks/environment/shell_expand.h"

namespace gpuharden {

enum class ShellItemKind : std::uint8_t {
  kAssignment,  // name, value
  kUnset,       // name
  kUmask,       // value: its argument
  kSource,      // value: the file named
  kHistoryOff,  // set +o history
  kEval,        // value: the text, which may set anything
};

struct ShellItem {
  ShellItemKind kind = ShellItemKind::kAssignment;
  std::string name;
  std::string raw;               // the word as written
  std::string value;             // expanded as far as it is constant, the variable itself set
  std::string value_when_unset;  // the same with the variable itself not set before
  std::uint32_t line = 0;
  bool is_exported = false;
  bool is_conditional = false;  // inside if, case, loop, function, sub-shell, or behind && and ||
  bool is_guarded = false;      // a condition around it looks at the variable itself
  bool is_for_command = false;  // only for one command: "A=b cmd", "env A=b cmd"
  bool refers_to_itself = false;
};

struct ShellText {
  std::vector<ShellItem> items;
  ShellVariables variables;   // what is known at the end, `known` included
  bool is_truncated = false;  // more items than kMaxShellItems
};

constexpr std::size_t kMaxShellItems = 10000;

// POSIX shell, bash and zsh. `known` are variables with a known value, such as HOME.
ShellText parse_shell(std::string_view text, ShellVariables known = {});
// fish: set -gx NAME value...
ShellText parse_fish(std::string_view text, const ShellVariables& known = {});
// csh and tcsh: setenv NAME value, umask.
ShellText parse_csh(std::string_view text, const ShellVariables& known = {});

}  // namespace gpuharden
