// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/audit/auditd_conf.h"

#include <map>

#include "engine/base/text.h"

namespace gpuharden {

std::vector<AuditdSetting> parse_auditd_conf(std::string_view text, std::vector<std::uint32_t>& bad_lines) {
  std::map<std::string, AuditdSetting> last;
  std::uint32_t number = 0;
  for (const auto line : split(text, '\n')) {
    ++number;
    const auto words = trim(line);
    if (words.empty() || words[0] == '#') continue;
    const auto equal = words.find('=');
    if (equal == std::string_view::npos) {
      bad_lines.push_back(number);
      continue;
    }
    std::string name = to_lower(trim(words.substr(0, equal)));
    last[name] = {name, std::string(trim(words.substr(equal + 1))), number};
  }
  std::vector<AuditdSetting> settings;
  for (auto& [name, setting] : last) settings.push_back(std::move(setting));
  return settings;
}

}  // namespace gpuharden
