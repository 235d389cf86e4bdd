// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/firewall/packet.h"

#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_conntrack_common.h>
#include <linux/netfilter/nf_conntrack_tuple_common.h>
#include <linux/netfilter/nf_tables.h>

#include <algorithm>
#include <cstring>

#include "engine/native/netlink_bytes.h"

namespace gpuharden {
namespace {

constexpr std::size_t kNameSize = 16;
constexpr std::uint32_t kLocal = 2;             // RTN_LOCAL
constexpr std::uint8_t kFlagsOfOpening = 0x17;  // FIN, SYN, RST and ACK: others may be set on a good one
constexpr std::uint8_t kSyn = 0x02;

template <typename Number>
PacketValue host_number(Number value) {
  return PacketValue::known({reinterpret_cast<const char*>(&value), sizeof value});
}

template <typename Number>
PacketValue number_or_unknown(std::optional<Number> value) {
  return value ? host_number(*value) : PacketValue::unknown(sizeof(Number), kDoubtOther);
}

void put(PacketValue& header, std::size_t at, const PacketValue& field) {
  std::copy(field.bytes.begin(), field.bytes.end(), header.bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

PacketValue source_address(std::size_t size) {
  auto value = PacketValue::unknown(size, kDoubtSource);
  for (auto& byte : value.bytes) byte.is_source_address = true;
  return value;
}

PacketValue destination_address(const Packet& packet, std::size_t size) {
  if (packet.address_now && packet.address_now->size() == size) return PacketValue::known(*packet.address_now);
  return PacketValue::unknown(size, packet.is_translated ? kDoubtOther : kDoubtDestination);
}

PacketValue network_header(const Packet& packet) {
  auto header = PacketValue::unknown(40, kDoubtOther);
  if (packet.family == NFPROTO_IPV4) {
    put(header, 9, PacketValue::known({reinterpret_cast<const char*>(&packet.protocol), 1}));
    put(header, 12, source_address(4));
    put(header, 16, destination_address(packet, 4));
  } else {
    // Byte 6, the next header, may be that of an extension.
    put(header, 8, source_address(16));
    put(header, 24, destination_address(packet, 16));
  }
  return header;
}

PacketValue port_value(std::optional<std::uint16_t> port) {
  return port ? PacketValue::known(to_network(*port, 2)) : PacketValue::unknown(2, kDoubtOther);
}

PacketValue transport_header(const Packet& packet) {
  auto header = PacketValue::unknown(20, kDoubtOther);
  put(header, 2, port_value(packet.port_now));
  if (packet.protocol == IPPROTO_TCP) header.bytes[13] = {kFlagsOfOpening, kSyn, kDoubtOther, false};
  return header;
}

PacketValue link_header(const Packet& packet) {
  auto header = PacketValue::unknown(14, kDoubtInterface);
  for (std::size_t i = 6; i < 12; ++i) header.bytes[i].doubt = kDoubtSource;
  put(header, 12, PacketValue::known(to_network(packet.family == NFPROTO_IPV4 ? ETH_P_IP : ETH_P_IPV6, 2)));
  // A VLAN's tag may stand there instead.
  for (std::size_t i = 12; i < 14; ++i) header.bytes[i] = {0, 0, kDoubtInterface, false};
  return header;
}

PacketValue whole_name(const std::string& name) {
  std::string bytes = name.substr(0, kNameSize - 1);
  bytes.resize(kNameSize, '\0');
  return PacketValue::known(bytes);
}

PacketValue name_in(const Packet& packet) {
  if (!packet.in_interface.empty()) return whole_name(packet.in_interface);
  auto value = PacketValue::unknown(kNameSize, kDoubtInterface);
  value.excluded = Excluded::kLoopbackName;
  return value;
}

PacketValue name_out(const Packet& packet) {
  if (!packet.out_interface.empty()) return whole_name(packet.out_interface);
  return PacketValue::unknown(kNameSize, packet.is_forwarded ? kDoubtInterface : kDoubtOther);
}

}  // namespace

void PacketMarks::join(const PacketMarks& other) {
  if (mark != other.mark) mark = std::nullopt;
  if (connection_mark != other.connection_mark) connection_mark = std::nullopt;
  is_tracked = is_tracked && other.is_tracked;
  is_changed = is_changed || other.is_changed;
}

PacketValue payload_of(const Packet& packet, std::uint64_t base, std::uint64_t offset, std::size_t size) {
  if (packet.marks.is_changed) return PacketValue::unknown(size, kDoubtOther);
  PacketValue header;
  if (base == NFT_PAYLOAD_NETWORK_HEADER) {
    header = network_header(packet);
  } else if (base == NFT_PAYLOAD_TRANSPORT_HEADER) {
    header = transport_header(packet);
  } else if (base == NFT_PAYLOAD_LL_HEADER) {
    header = link_header(packet);
  }
  PacketValue value = PacketValue::unknown(size, kDoubtOther);
  for (std::size_t i = 0; i < value.bytes.size(); ++i) {
    if (offset < header.bytes.size() && i < header.bytes.size() - offset) value.bytes[i] = header.bytes[offset + i];
  }
  return value;
}

PacketValue meta_of(const Packet& packet, std::uint64_t key) {
  switch (key) {
    case NFT_META_PROTOCOL:
      return PacketValue::known(to_network(packet.family == NFPROTO_IPV4 ? ETH_P_IP : ETH_P_IPV6, 2));
    case NFT_META_NFPROTO: return host_number(static_cast<std::uint8_t>(packet.family));
    case NFT_META_L4PROTO: return host_number(packet.protocol);
    case NFT_META_MARK: return number_or_unknown(packet.marks.mark);
    case NFT_META_PKTTYPE: return host_number(std::uint8_t{0});  // to this host
    case NFT_META_IIFNAME: return name_in(packet);
    case NFT_META_OIFNAME: return name_out(packet);
    case NFT_META_IIF: {
      auto value = PacketValue::unknown(4, kDoubtInterface);
      value.excluded = Excluded::kLoopbackIndex;
      return value;
    }
    case NFT_META_IIFGROUP:
    case NFT_META_SDIF: return PacketValue::unknown(4, kDoubtInterface);
    case NFT_META_OIF:
    case NFT_META_OIFGROUP: return PacketValue::unknown(4, packet.is_forwarded ? kDoubtInterface : kDoubtOther);
    case NFT_META_IIFTYPE: return PacketValue::unknown(2, kDoubtInterface);
    case NFT_META_IIFKIND:
    case NFT_META_SDIFNAME: return PacketValue::unknown(kNameSize, kDoubtInterface);
    default: return PacketValue::unknown(kNameSize, kDoubtOther);
  }
}

std::optional<std::uint32_t> connection_state(const Packet& packet) {
  if (!packet.has_connection || !packet.marks.is_tracked) return std::nullopt;
  return 1U << (IP_CT_NEW + 1U);
}

PacketValue connection_of(const Packet& packet, std::uint64_t key, std::optional<std::uint64_t> direction) {
  const bool is_known = connection_state(packet).has_value();
  const bool is_original = direction == std::uint64_t{IP_CT_DIR_ORIGINAL};
  switch (key) {
    case NFT_CT_STATE: return number_or_unknown(connection_state(packet));
    case NFT_CT_DIRECTION:
      return is_known ? host_number(std::uint8_t{IP_CT_DIR_ORIGINAL}) : PacketValue::unknown(1, kDoubtOther);
    case NFT_CT_STATUS: {
      auto value = PacketValue::unknown(4, kDoubtOther);
      constexpr std::uint8_t kTranslated = IPS_DST_NAT;
      if (is_known)
        value.bytes[0] = {kTranslated, packet.is_translated ? kTranslated : std::uint8_t{0}, kDoubtOther, false};
      return value;
    }
    case NFT_CT_MARK:
      return number_or_unknown(is_known ? packet.marks.connection_mark : std::optional<std::uint32_t>());
    case NFT_CT_PROTOCOL: return is_known ? host_number(packet.protocol) : PacketValue::unknown(1, kDoubtOther);
    case NFT_CT_PROTO_DST:
      return is_known && is_original ? port_value(packet.port) : PacketValue::unknown(2, kDoubtOther);
    case NFT_CT_SRC_IP: return is_original ? source_address(4) : PacketValue::unknown(4, kDoubtOther);
    case NFT_CT_SRC_IP6: return is_original ? source_address(16) : PacketValue::unknown(16, kDoubtOther);
    case NFT_CT_DST_IP: return PacketValue::unknown(4, is_original ? kDoubtDestination : kDoubtOther);
    case NFT_CT_DST_IP6: return PacketValue::unknown(16, is_original ? kDoubtDestination : kDoubtOther);
    default: return PacketValue::unknown(16, kDoubtOther);
  }
}

PacketValue route_of(const Packet& packet, std::uint64_t result, std::uint64_t flags) {
  const bool is_source = (flags & NFTA_FIB_F_SADDR) != 0;
  if (result == NFT_FIB_RESULT_ADDRTYPE && flags == NFTA_FIB_F_DADDR && !packet.is_translated)
    return host_number(kLocal);
  return PacketValue::unknown(result == NFT_FIB_RESULT_OIFNAME ? kNameSize : 4, is_source ? kDoubtSource : kDoubtOther);
}

}  // namespace gpuharden
