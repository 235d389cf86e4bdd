// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/system/os_release.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == std::string_view::npos;
}

std::string unquote(std::string_view text) {
  const char quote = !text.empty() && (text[0] == '"' || text[0] == '\'') ? text[0] : '\0';
  if (quote != '\0') text.remove_prefix(1);
  std::string out;
  for (std::size_t i = 0; i < text.size() && text[i] != quote; ++i) {
    const bool escaped = quote != '\'' && text[i] == '\\' && i + 1 < text.size();
    out += text[escaped ? ++i : i];
  }
  return out;
}

}  // namespace

std::map<std::string, std::string, std::less<>> parse_os_release(std::string_view text) {
  std::map<std::string, std::string, std::less<>> values;
  for (const auto raw : split(text, '\n')) {
    const auto line = trim(raw);
    const auto equals = line.find('=');
    if (equals == std::string_view::npos || !is_name(line.substr(0, equals))) continue;
    values.insert_or_assign(std::string(line.substr(0, equals)), unquote(line.substr(equals + 1)));
  }
  return values;
}

}  // namespace gpuharden
