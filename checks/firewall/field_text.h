// SPDX-License-Identifier: GPL-2.0-or-later
// Names of what rules look at, and values as people write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuharden {

enum class FieldKind : std::uint8_t {
  kBytes,
  kAddress,
  kPort,
  kName,
  kNumber,
  kProtocol,
  kFamily,
  kState,
  kAddressType
};

struct Field {
  std::string name;  // "tcp dport", "ip saddr", "iifname"
  FieldKind kind = FieldKind::kBytes;
  bool is_source = false;
  bool is_destination_port = false;
};

// `transport` is "tcp", "udp" or "" where the rule has not asked for one.
Field payload_field(int family, std::uint64_t base, std::uint64_t offset, std::uint64_t size,
                    std::string_view transport);
Field meta_field(std::uint64_t key);
Field connection_field(std::uint64_t key);
Field route_field(std::uint64_t result, std::uint64_t flags);

std::string value_text(const Field& field, std::string_view bytes);
// "10.0.0.0/8", where the mask is one of a network; else "".
std::string network_text(std::string_view address, std::string_view mask);

}  // namespace gpuharden
