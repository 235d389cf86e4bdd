// SPDX-License-Identifier: GPL-2.0-or-later
// Socket tables of the kernel (NETLINK_SOCK_DIAG), by libmnl.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

struct InetSocket {
  int family = 0;             // AF_INET or AF_INET6
  std::uint8_t state = 0;     // as in linux/tcp_states.h: 10 is listen, 7 is close (an unconnected UDP socket)
  std::string local_address;  // 4 or 16 bytes, network order
  std::uint16_t local_port = 0;
  std::uint32_t interface = 0;  // index of the interface it is bound to, 0 for any
  std::uint32_t uid = 0;
  std::uint64_t inode = 0;
  std::optional<bool> v6_only;  // only known for AF_INET6
};

// The kernel's raw messages for listening TCP (protocol IPPROTO_TCP) or unconnected UDP sockets
// (IPPROTO_UDP) of this network namespace. Asks only; opens one netlink socket.
Result<std::string> dump_inet_sockets(int protocol, int family);

// The sockets in raw messages; kMalformed with the offset when they are cut or make no sense.
Result<std::vector<InetSocket>> decode_inet_sockets(std::string_view messages);

// The messages that the kernel would send for these sockets: captures are decoded like the real thing.
std::string encode_inet_sockets(const std::vector<InetSocket>& sockets);

}  // namespace gpuharden
