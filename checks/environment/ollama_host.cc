// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/ollama_host.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <optional>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::uint16_t kDefaultPort = 11434;

struct HostPort {
  std::string_view host, port;
};

// Go's net.SplitHostPort: nothing where that is an error, a missing port included.
std::optional<HostPort> split_host_port(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  std::size_t brackets_from = 0;
  std::size_t closers_from = 0;
  if (text[0] == '[') {
    const auto end = text.find(']');
    if (end == std::string_view::npos || end + 1 != colon) return std::nullopt;
    host = text.substr(1, end - 1);
    brackets_from = 1;
    closers_from = end + 1;
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;
  }
  if (text.find('[', brackets_from) != std::string_view::npos) return std::nullopt;
  if (text.find(']', closers_from) != std::string_view::npos) return std::nullopt;
  return HostPort{host, text.substr(colon + 1)};
}

std::string_view trim_characters(std::string_view text, std::string_view characters) {
  const auto begin = text.find_first_not_of(characters);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(characters) - begin + 1);
}

// Go's strconv.ParseInt allows one sign; out of range is an error.
std::optional<std::uint16_t> parse_port(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const bool is_negative_zero =
      text.size() > 1 && text[0] == '-' && text.find_first_not_of('0', 1) == std::string_view::npos;
  if (is_negative_zero) return std::uint16_t{0};
  const auto number = parse_unsigned(text);
  return number && *number <= 65535 ? std::optional(static_cast<std::uint16_t>(*number)) : std::nullopt;
}

struct Address {
  int family = 0;
  std::array<unsigned char, 16> bytes{};
};

std::optional<Address> parse_address(std::string_view text) {
  Address address;
  address.family = text.find(':') == std::string_view::npos ? AF_INET : AF_INET6;
  const std::string copy(text);
  if (copy.find('\0') != std::string::npos) return std::nullopt;
  return ::inet_pton(address.family, copy.c_str(), address.bytes.data()) == 1 ? std::optional(address) : std::nullopt;
}

bool all_zero(const unsigned char* begin, std::size_t count) {
  return std::all_of(begin, begin + count, [](unsigned char byte) { return byte == 0; });
}

Exposure exposure_of_v4(const unsigned char* bytes) {
  if (all_zero(bytes, 4)) return Exposure::kAll;
  return bytes[0] == 127 ? Exposure::kLoopback : Exposure::kSpecific;
}

}  // namespace

std::string_view to_string(Exposure exposure) {
  static constexpr std::array<std::string_view, 4> kWords = {"loopback", "all", "specific", "unresolved"};
  return kWords.at(static_cast<std::size_t>(exposure));
}

Exposure exposure_of(std::string_view host) {
  if (host.empty()) return Exposure::kAll;
  if (equals_ignore_case(host, "localhost")) return Exposure::kLoopback;
  // A zone ("fe80::1%eth0") belongs to one link-local address.
  const auto address = parse_address(host.substr(0, host.find('%')));
  if (!address) return Exposure::kUnresolved;
  const auto* bytes = address->bytes.data();
  if (address->family == AF_INET) return exposure_of_v4(bytes);
  const bool is_mapped = all_zero(bytes, 10) && bytes[10] == 0xFF && bytes[11] == 0xFF;
  if (is_mapped) return exposure_of_v4(bytes + 12);
  if (all_zero(bytes, 16)) return Exposure::kAll;
  return all_zero(bytes, 15) && bytes[15] == 1 ? Exposure::kLoopback : Exposure::kSpecific;
}

OllamaAddress parse_ollama_host(std::string_view value) {
  auto rest = trim(trim_characters(trim(value), "\"'"));
  std::uint16_t default_port = kDefaultPort;
  const auto scheme = rest.find("://");
  if (scheme != std::string_view::npos) {
    if (rest.substr(0, scheme) == "http") default_port = 80;
    if (rest.substr(0, scheme) == "https") default_port = 443;
    rest.remove_prefix(scheme + 3);
  } else if (rest == "ollama.com") {
    return {"ollama.com", 443, Exposure::kUnresolved};
  }
  rest = rest.substr(0, rest.find('/'));
  OllamaAddress out{"127.0.0.1", default_port, Exposure::kLoopback};
  if (const auto parts = split_host_port(rest)) {
    out.host = parts->host;
    out.port = parse_port(parts->port).value_or(default_port);
  } else if (!rest.empty()) {
    const auto bare = trim_characters(rest, "[]");
    out.host = parse_address(bare) ? bare : rest;
  }
  out.exposure = exposure_of(out.host);
  return out;
}

}  // namespace gpuharden
