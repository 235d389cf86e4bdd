// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/firewall/field_text.h"

#include <linux/in.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>

#include <array>
#include <cstring>
#include <vector>

#include "checks/network/inet_address.h"
#include "engine/base/text.h"
#include "engine/native/netlink_bytes.h"

namespace gpuharden {
namespace {

Field address_field(std::string name, bool is_source) {
  return {std::move(name), FieldKind::kAddress, is_source, false};
}

// Numbers in the order of this machine.
std::uint64_t host_number(std::string_view bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  return value;
}

std::string hexadecimal(std::uint64_t value) { return concat({"0x", to_hex(to_network(value, 4))}); }

std::string protocol_text(std::uint64_t number) {
  switch (number) {
    case IPPROTO_TCP: return "tcp";
    case IPPROTO_UDP: return "udp";
    case IPPROTO_ICMP: return "icmp";
    case IPPROTO_ICMPV6: return "icmpv6";
    default: return std::to_string(number);
  }
}

std::string state_text(std::uint64_t mask) {
  constexpr std::array<std::pair<std::uint64_t, std::string_view>, 5> kStates = {
      {{1, "invalid"}, {2, "established"}, {4, "related"}, {8, "new"}, {64, "untracked"}}};
  std::vector<std::string> names;
  for (const auto& [bit, name] : kStates) {
    if ((mask & bit) != 0) names.emplace_back(name);
  }
  return names.empty() ? std::to_string(mask) : join(names, ",");
}

std::string address_type(std::uint64_t number) {
  constexpr std::array<std::string_view, 6> kTypes = {"unspec",    "unicast", "local",
                                                      "broadcast", "anycast", "multicast"};
  return number < kTypes.size() ? std::string(kTypes.at(number)) : std::to_string(number);
}

}  // namespace

Field payload_field(int family, std::uint64_t base, std::uint64_t offset, std::uint64_t size,
                    std::string_view transport) {
  if (base == NFT_PAYLOAD_TRANSPORT_HEADER && size == 2 && offset <= 2) {
    const auto name = concat({transport.empty() ? "th " : "", offset == 0 ? "sport" : "dport"});
    return {name, FieldKind::kPort, false, offset == 2};
  }
  if (base == NFT_PAYLOAD_TRANSPORT_HEADER && offset == 13 && size == 1)
    return {"flags", FieldKind::kNumber, false, false};
  if (base == NFT_PAYLOAD_NETWORK_HEADER) {
    if (size == 16 && (offset == 8 || offset == 24))
      return address_field(offset == 8 ? "ip6 saddr" : "ip6 daddr", offset == 8);
    if (size == 1 && offset == 6) return {"ip6 nexthdr", FieldKind::kProtocol, false, false};
    if (size == 1 && offset == 9) return {"ip protocol", FieldKind::kProtocol, false, false};
    // A network of whole bytes is compared by its first ones.
    if (family != NFPROTO_IPV6 && (offset == 12 || offset == 16) && size <= 4)
      return address_field(offset == 12 ? "ip saddr" : "ip daddr", offset == 12);
    if ((offset == 8 || offset == 24) && size < 16)
      return address_field(offset == 8 ? "ip6 saddr" : "ip6 daddr", offset == 8);
  }
  const std::array<std::string_view, 3> kBases = {"ll", "nh", "th"};
  return {concat({"@", base < kBases.size() ? kBases.at(base) : "?", ",", std::to_string(offset * 8), ",",
                  std::to_string(size * 8)}),
          FieldKind::kBytes, false, false};
}

Field meta_field(std::uint64_t key) {
  switch (key) {
    case NFT_META_IIFNAME: return {"iifname", FieldKind::kName, false, false};
    case NFT_META_OIFNAME: return {"oifname", FieldKind::kName, false, false};
    case NFT_META_IIF: return {"iif", FieldKind::kNumber, false, false};
    case NFT_META_OIF: return {"oif", FieldKind::kNumber, false, false};
    case NFT_META_L4PROTO: return {"meta l4proto", FieldKind::kProtocol, false, false};
    case NFT_META_NFPROTO: return {"meta nfproto", FieldKind::kFamily, false, false};
    case NFT_META_MARK: return {"meta mark", FieldKind::kNumber, false, false};
    case NFT_META_PKTTYPE: return {"meta pkttype", FieldKind::kNumber, false, false};
    case NFT_META_PROTOCOL: return {"meta protocol", FieldKind::kBytes, false, false};
    default: return {concat({"meta key ", std::to_string(key)}), FieldKind::kBytes, false, false};
  }
}

Field connection_field(std::uint64_t key) {
  switch (key) {
    case NFT_CT_STATE: return {"ct state", FieldKind::kState, false, false};
    case NFT_CT_STATUS: return {"ct status", FieldKind::kNumber, false, false};
    case NFT_CT_MARK: return {"ct mark", FieldKind::kNumber, false, false};
    case NFT_CT_DIRECTION: return {"ct direction", FieldKind::kNumber, false, false};
    case NFT_CT_PROTO_DST: return {"ct proto-dst", FieldKind::kPort, false, false};
    default: return {concat({"ct key ", std::to_string(key)}), FieldKind::kBytes, false, false};
  }
}

Field route_field(std::uint64_t result, std::uint64_t flags) {
  const std::string name = concat({"fib ", (flags & NFTA_FIB_F_SADDR) != 0 ? "saddr" : "daddr"});
  if (result == NFT_FIB_RESULT_ADDRTYPE) return {name + " type", FieldKind::kAddressType, false, false};
  return {name + " oif", FieldKind::kNumber, false, false};
}

std::string value_text(const Field& field, std::string_view bytes) {
  switch (field.kind) {
    case FieldKind::kAddress: {
      std::string whole(bytes);
      const std::size_t size = bytes.size() <= 4 && field.name.starts_with("ip ") ? 4 : 16;
      whole.resize(size, '\0');
      const auto text = address_text(whole);
      return bytes.size() == size ? text : concat({text, "/", std::to_string(bytes.size() * 8)});
    }
    case FieldKind::kPort: return std::to_string(network_number(bytes.substr(0, 2)).value_or(0));
    case FieldKind::kName: {
      const auto name = text_until_nul(bytes);
      return concat({"\"", name, name.size() == bytes.size() && bytes.size() < 16 ? "*" : "", "\""});
    }
    case FieldKind::kNumber: {
      const bool is_bits = bytes.size() > 2 && field.name != "iif" && field.name != "oif";
      return is_bits ? hexadecimal(host_number(bytes)) : std::to_string(host_number(bytes));
    }
    case FieldKind::kProtocol: return protocol_text(host_number(bytes.substr(0, 1)));
    case FieldKind::kFamily:
      return bytes.substr(0, 1) == "\x02" ? "ipv4" : bytes.substr(0, 1) == "\x0a" ? "ipv6" : to_hex(bytes);
    case FieldKind::kState: return state_text(host_number(bytes));
    case FieldKind::kAddressType: return address_type(host_number(bytes));
    case FieldKind::kBytes: break;
  }
  return "0x" + to_hex(bytes);
}

std::string network_text(std::string_view address, std::string_view mask) {
  std::size_t bits = 0;
  bool is_over = false;
  for (const char c : mask) {
    for (unsigned bit = 0x80; bit != 0; bit >>= 1U) {
      const bool is_set = (static_cast<unsigned char>(c) & bit) != 0;
      if (is_set && is_over) return "";
      is_over = is_over || !is_set;
      bits += is_set ? 1 : 0;
    }
  }
  const auto text = address_text(address);
  return text.empty() || address.size() != mask.size() ? "" : concat({text, "/", std::to_string(bits)});
}

}  // namespace gpuharden
