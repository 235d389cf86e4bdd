// SPDX-License-Identifier: GPL-2.0-or-later
// The first packet of a connection that a remote peer opens to this host, as a rule of the packet filter sees it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "checks/firewall/packet_value.h"

namespace gpuharden {

// What rules themselves change on the way.
struct PacketMarks {
  std::optional<std::uint32_t> mark = 0;
  std::optional<std::uint32_t> connection_mark = 0;
  bool is_tracked = true;   // no rule may have said notrack
  bool is_changed = false;  // a rule may have written into it

  // Either of the two may be so.
  void join(const PacketMarks& other);
  bool operator==(const PacketMarks&) const = default;
};

struct Packet {
  int family = 0;                         // NFPROTO_IPV4 or NFPROTO_IPV6
  std::uint8_t protocol = 0;              // IPPROTO_TCP or IPPROTO_UDP
  std::uint16_t port = 0;                 // the port that the peer asked for
  std::optional<std::uint16_t> port_now;  // after translation; unknown when it may be one of several
  bool is_translated = false;             // its destination was changed (DNAT, redirect)
  bool is_forwarded = false;
  std::optional<std::string> address_now;  // bytes of the destination, where a translation set it
  std::string in_interface;                // where one is asked about; else any but lo
  std::string out_interface;               // of a forwarded packet, where it is known
  bool has_connection = true;              // connection tracking has seen it
  Sender sender = Sender::kAnyone;
  PacketMarks marks;
};

// What expressions load; `size` as they ask for it.
PacketValue payload_of(const Packet& packet, std::uint64_t base, std::uint64_t offset, std::size_t size);
PacketValue meta_of(const Packet& packet, std::uint64_t key);
PacketValue connection_of(const Packet& packet, std::uint64_t key, std::optional<std::uint64_t> direction);
PacketValue route_of(const Packet& packet, std::uint64_t result, std::uint64_t flags);

// The connection state that a rule sees (bits of NFT_CT_STATE); nothing when it is not known.
std::optional<std::uint32_t> connection_state(const Packet& packet);

}  // namespace gpuharden
