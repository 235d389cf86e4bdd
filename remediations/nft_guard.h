// SPDX-License-Identifier: GPL-2.0-or-later
// A table of our own that keeps strangers from ports of this host, before Docker's translation sees the packets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

struct GuardPlan {
  std::vector<std::uint16_t> ports;  // TCP, as a sender names them: of a published port the outer one
  std::vector<std::string> peers;    // addresses or networks that may connect: "10.1.0.0/16", "fd00::7"
  std::vector<std::string> bridges;  // interfaces of containers, which may too; '*' at the end: "br-*"
};

// The table's text, for prove_table() and guard_file(). This host itself, established connections and whatever is
// only forwarded are never touched. kMalformed, naming the part: no port, port 0, what is no address or no name of an
// interface, a network so wide that it names nobody (shorter than /8, of IPv6 /16), as the audit sees it.
Result<std::string> guard_table(const GuardPlan& plan);

// What the table is loaded from at boot, and by which unit. nft itself is the loader: it is what an administrator would
// run, its file can be read by the audit's own parser, and it stays when this program goes.
inline constexpr std::string_view kGuardFile = "/etc/gpuharden/guard.nft";
inline constexpr std::string_view kGuardUnit = "gpuharden-guard.service";
inline constexpr std::string_view kGuardUnitFile = "/etc/systemd/system/gpuharden-guard.service";
inline constexpr std::string_view kGuardLoader = "/usr/sbin/nft";
// Units that pull it in: links of these names in /etc/systemd/system, to kGuardUnitFile.
inline constexpr std::string_view kGuardUnitLinks[] = {"sysinit.target.wants/gpuharden-guard.service",
                                                       "nftables.service.wants/gpuharden-guard.service"};
// The plan stands in its comments: read_guard_file() gives it back, and is kMalformed for a file that was changed
// since.
Result<std::string> guard_file(const GuardPlan& plan);
Result<GuardPlan> read_guard_file(std::string_view text);
// Loaded again whenever nftables.service has emptied the filter: by its start, restart and reload.
std::string guard_unit();

}  // namespace gpuharden
