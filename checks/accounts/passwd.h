// SPDX-License-Identifier: GPL-2.0-or-later
// The passwd(5) and group(5) formats.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct PasswdEntry {
  std::string name;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::string gecos, home, shell;
  std::uint32_t line = 0;  // from 1
};

struct GroupEntry {
  std::string name;
  std::uint32_t gid = 0;
  std::vector<std::string> members;  // as written, without empty names and repeats
  std::uint32_t line = 0;
};

// Lines that are no entry (comments, NIS "+", too few fields, no number) get their line number
// into `bad_lines`; empty lines and comments do not.
std::vector<PasswdEntry> parse_passwd(std::string_view text, std::vector<std::uint32_t>& bad_lines);
std::vector<GroupEntry> parse_group(std::string_view text, std::vector<std::uint32_t>& bad_lines);

}  // namespace gpuharden
