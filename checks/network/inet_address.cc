// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/network/inet_address.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <algorithm>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kIpv4Size = 4;
constexpr std::size_t kIpv6Size = 16;

unsigned byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

bool is_zero(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == '\0'; });
}

std::string_view exposure_of_ipv4(std::string_view bytes) {
  if (is_zero(bytes)) return "wildcard";
  if (byte_at(bytes, 0) == 127) return "loopback";
  return byte_at(bytes, 0) == 169 && byte_at(bytes, 1) == 254 ? "link-local" : "specific";
}

}  // namespace

std::string address_text(std::string_view bytes) {
  char text[INET6_ADDRSTRLEN] = {};
  const int family = bytes.size() == kIpv4Size ? AF_INET : AF_INET6;
  if (bytes.size() != kIpv4Size && bytes.size() != kIpv6Size) return "";
  return ::inet_ntop(family, bytes.data(), text, sizeof text) == nullptr ? "" : text;
}

bool is_mapped_ipv4(std::string_view bytes) {
  return bytes.size() == kIpv6Size && is_zero(bytes.substr(0, 10)) && byte_at(bytes, 10) == 0xff &&
         byte_at(bytes, 11) == 0xff;
}

std::string_view address_exposure(std::string_view bytes) {
  if (bytes.size() == kIpv4Size) return exposure_of_ipv4(bytes);
  if (is_mapped_ipv4(bytes)) return exposure_of_ipv4(bytes.substr(12));
  if (bytes.size() != kIpv6Size || is_zero(bytes)) return "wildcard";
  if (is_zero(bytes.substr(0, 15)) && byte_at(bytes, 15) == 1) return "loopback";
  return byte_at(bytes, 0) == 0xfe && (byte_at(bytes, 1) & 0xc0U) == 0x80 ? "link-local" : "specific";
}

std::string socket_name(std::string_view protocol, std::string_view address, std::uint16_t port,
                        std::uint32_t interface) {
  const bool is_ipv6 = address.find(':') != std::string_view::npos;
  return concat({protocol, is_ipv6 ? "6 [" : " ", address, interface == 0 ? "" : "%",
                 interface == 0 ? "" : std::to_string(interface), is_ipv6 ? "]:" : ":", std::to_string(port)});
}

}  // namespace gpuharden
