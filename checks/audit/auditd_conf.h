// SPDX-License-Identifier: GPL-2.0-or-later
// The format of /etc/audit/auditd.conf.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct AuditdSetting {
  std::string name;  // lower case
  std::string value;
  std::uint32_t line = 0;  // from 1
};

// "name = value" lines; of repeated names the last. Lines without '=' get their number into
// `bad_lines`: auditd does not start with them.
std::vector<AuditdSetting> parse_auditd_conf(std::string_view text, std::vector<std::uint32_t>& bad_lines);

}  // namespace gpuharden
