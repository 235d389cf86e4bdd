// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/sysctl_conf.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

std::string swap_separators(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == '.') {
      c = '/';
    } else if (c == '/') {
      c = '.';
    }
  }
  return out;
}

}  // namespace

std::string sysctl_path(std::string_view key) {
  const auto first = key.find_first_of("./");
  return first != std::string_view::npos && key[first] == '.' ? swap_separators(key) : std::string(key);
}

std::string sysctl_key(std::string_view path) { return swap_separators(path); }

std::vector<SysctlLine> parse_sysctl_conf(std::string_view text, std::vector<std::uint32_t>& bad_lines) {
  std::vector<SysctlLine> lines;
  std::uint32_t number = 0;
  for (const auto raw : split(text, '\n')) {
    ++number;
    auto line = trim(raw);
    if (line.empty() || line[0] == '#' || line[0] == ';') continue;
    const bool has_dash = line[0] == '-';
    if (has_dash) line.remove_prefix(1);
    const auto equals = line.find('=');
    const auto key = trim(line.substr(0, equals));
    const bool assigns = equals != std::string_view::npos;
    if (key.empty() || (!assigns && !has_dash)) {
      bad_lines.push_back(number);
      continue;
    }
    const auto value = assigns ? trim(line.substr(equals + 1)) : std::string_view();
    lines.push_back({sysctl_path(key), std::string(value), number, !assigns});
  }
  return lines;
}

}  // namespace gpuharden
