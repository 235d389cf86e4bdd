// SPDX-License-Identifier: GPL-2.0-or-later
// The format of /proc/net/{tcp,tcp6,udp,udp6}.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/native/sock_diag.h"

namespace gpuharden {

struct ProcNetTable {
  std::vector<InetSocket> sockets;  // v6_only is never set: these files do not tell
  std::size_t bad_lines = 0;        // of the wanted state, or without a state
};

constexpr std::uint8_t kTcpListen = 0x0A;
constexpr std::uint8_t kUdpUnconnected = 0x07;

// The sockets in one state; `family` is AF_INET or AF_INET6. Linear, and cheap for other states.
ProcNetTable parse_proc_net(std::string_view text, int family, std::uint8_t state);

}  // namespace gpuharden
