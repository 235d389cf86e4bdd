// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/accounts/adduser_conf.h"

#include <map>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::vector<AdduserSetting> parse_adduser_conf(std::string_view text) {
  std::map<std::string, AdduserSetting, std::less<>> settings;
  std::uint32_t number = 0;
  for (auto line : split(text, '\n')) {
    ++number;
    line = trim(line);
    const auto equals = line.find('=');
    if (line.empty() || line[0] == '#' || equals == std::string_view::npos) continue;
    const std::string name(trim(line.substr(0, equals)));
    settings[name] = {name, std::string(without_quotes(trim(line.substr(equals + 1)))), number};
  }
  std::vector<AdduserSetting> list;
  for (auto& [name, setting] : settings) list.push_back(std::move(setting));
  return list;
}

}  // namespace gpuharden
