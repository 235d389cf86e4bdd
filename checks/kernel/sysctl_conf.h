// SPDX-License-Identifier: GPL-2.0-or-later
// The sysctl.d(5) format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct SysctlLine {
  std::string path;   // below /proc/sys: kernel/kptr_restrict; may be a glob
  std::string value;  // trimmed; empty for an exclusion
  std::uint32_t line = 0;
  bool excludes = false;  // "-net/ipv4/conf/lo/rp_filter": globs do not set this key
  bool operator==(const SysctlLine&) const = default;
};

// Comments start with '#' or ';'. Lines that are no assignment get their number into `bad_lines`.
std::vector<SysctlLine> parse_sysctl_conf(std::string_view text, std::vector<std::uint32_t>& bad_lines);

// "net/ipv4/conf/eth0.1/forwarding" of itself and of "net.ipv4.conf.eth0/1.forwarding": the first
// separator decides what the separators are.
std::string sysctl_path(std::string_view key);
// The way back: "kernel.kptr_restrict".
std::string sysctl_key(std::string_view path);

}  // namespace gpuharden
