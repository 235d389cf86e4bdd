// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/firewall/host_routes.h"

#include <arpa/inet.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::uint64_t kGateway = 2;  // RTF_GATEWAY

// Eight hexadecimal digits: a number of this machine that holds an address in network order.
std::optional<std::string> address4(std::string_view text) {
  const auto number = parse_unsigned(text, 16);
  if (!number || text.size() != 8) return std::nullopt;
  const auto value = static_cast<std::uint32_t>(*number);
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

std::optional<std::string> address6(std::string_view text) {
  std::string bytes;
  if (text.size() != 32) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const auto byte = parse_unsigned(text.substr(i, 2), 16);
    if (!byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
  }
  return bytes;
}

bool lies_in(std::string_view address, const HostRoute& route) {
  if (address.size() != route.address.size()) return false;
  for (std::size_t bit = 0; bit < route.length; ++bit) {
    const auto different = static_cast<unsigned char>(address[bit / 8] ^ route.address[bit / 8]);
    if ((different & (0x80U >> (bit % 8))) != 0) return false;
  }
  return true;
}

}  // namespace

std::vector<HostRoute> parse_routes4(std::string_view text) {
  std::vector<HostRoute> routes;
  for (const auto line : split(text, '\n')) {
    const auto words = split_words(line);
    if (words.size() < 8) continue;
    const auto address = address4(words[1]);
    const auto mask = parse_unsigned(words[7], 16);
    const auto flags = parse_unsigned(words[3], 16);
    if (!address || !mask || words[7].size() != 8 || !flags) continue;
    routes.push_back(
        {*address, static_cast<unsigned>(std::popcount(*mask)), (*flags & kGateway) == 0, std::string(words[0])});
  }
  return routes;
}

std::vector<HostRoute> parse_routes6(std::string_view text) {
  std::vector<HostRoute> routes;
  for (const auto line : split(text, '\n')) {
    const auto words = split_words(line);
    if (words.size() < 10) continue;
    const auto address = address6(words[0]);
    const auto length = parse_unsigned(words[1], 16);
    const auto flags = parse_unsigned(words[8], 16);
    if (!address || !length || *length > 128 || !flags) continue;
    routes.push_back({*address, static_cast<unsigned>(*length), (*flags & kGateway) == 0, std::string(words[9])});
  }
  return routes;
}

std::string interface_of(const std::vector<HostRoute>& routes, std::string_view address) {
  const HostRoute* best = nullptr;
  bool is_single = true;
  for (const auto& route : routes) {
    if (!lies_in(address, route)) continue;
    if (best != nullptr && route.length == best->length) is_single = is_single && route.interface == best->interface;
    if (best != nullptr && route.length <= best->length) continue;
    best = &route;
    is_single = true;
  }
  return best != nullptr && best->is_direct && is_single && best->length > 0 ? best->interface : "";
}

std::string default_interface(const std::vector<HostRoute>& routes) {
  std::string name;
  for (const auto& route : routes) {
    if (route.length != 0 || route.interface == "lo" || route.interface == name) continue;
    if (!name.empty()) return "";
    name = route.interface;
  }
  return name;
}

std::set<std::string> parse_local4(std::string_view text) {
  std::set<std::string> addresses;
  std::string last;
  for (const auto line : split(text, '\n')) {
    const auto words = split_words(line);
    if (words.size() >= 2 && words[0] == "|--") last = words[1];
    if (words.size() < 3 || words[0] != "/32" || words[2] != "LOCAL") continue;
    in_addr address{};
    if (::inet_pton(AF_INET, last.c_str(), &address) == 1)
      addresses.emplace(reinterpret_cast<const char*>(&address), sizeof address);
  }
  return addresses;
}

std::set<std::string> parse_local6(std::string_view text) {
  std::set<std::string> addresses;
  for (const auto line : split(text, '\n')) {
    const auto words = split_words(line);
    const auto address = words.size() >= 6 ? address6(words[0]) : std::nullopt;
    if (address) addresses.insert(*address);
  }
  return addresses;
}

}  // namespace gpuharden
