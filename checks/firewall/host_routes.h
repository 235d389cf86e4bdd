// SPDX-License-Identifier: GPL-2.0-or-later
// Addresses and routes of the host's network namespace, from /proc/net.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct HostRoute {
  std::string address;     // bytes of the network
  unsigned length = 0;     // of its prefix, bits
  bool is_direct = false;  // no gateway
  std::string interface;
};

// /proc/net/route and /proc/net/ipv6_route; lines that make no sense are passed over.
std::vector<HostRoute> parse_routes4(std::string_view text);
std::vector<HostRoute> parse_routes6(std::string_view text);
// The interface of the longest network that the address lies in and that is reached without a gateway; "" when there
// is none, or when a longer one leads elsewhere.
std::string interface_of(const std::vector<HostRoute>& routes, std::string_view address);

// The one interface that the default route leads to; "" when there is none, or several.
std::string default_interface(const std::vector<HostRoute>& routes);

// The host's own addresses, as bytes: /proc/net/fib_trie and /proc/net/if_inet6.
std::set<std::string> parse_local4(std::string_view text);
std::set<std::string> parse_local6(std::string_view text);

}  // namespace gpuharden
