// SPDX-License-Identifier: GPL-2.0-or-later
// A host and a peer in network namespaces of their own, joined by one virtual cable, and packets between them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/handle.h"

namespace gpuharden::test {

inline constexpr std::array<std::uint16_t, 3> kPorts = {8000, 8888, 11434};

// Makes the calling process live in the host's namespace, for good. The host listens on every port of kPorts, TCP
// and UDP, IPv4 and IPv6.
class TwoHosts {
 public:
  // "" or what could not be made.
  std::string start();

  // Whether a new connection of the peer gets through; waits that long for it. `family` is AF_INET or AF_INET6.
  bool connects(int family, std::uint16_t port, int milliseconds);
  // Whether a datagram of the peer arrives at any port of the host.
  bool datagram_arrives(int family, std::uint16_t port, int milliseconds);

 private:
  UniqueFd peer_socket(int family, int type);
  bool takes_datagram(const std::string& text);
  void drop_connections();

  UniqueFd host_, peer_;  // namespaces
  std::vector<UniqueFd> listeners_, datagrams_;
  std::uint16_t next_port_ = 20000;
  std::uint32_t next_text_ = 0;
};

}  // namespace gpuharden::test
