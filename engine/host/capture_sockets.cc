// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/capture_sockets.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <limits>

namespace gpuharden {
namespace {

bool set_address(InetSocket& socket, const std::string& text) {
  char bytes[16] = {};
  const int family = text.find(':') == std::string::npos ? AF_INET : AF_INET6;
  if (::inet_pton(family, text.c_str(), bytes) != 1) return false;
  socket.family = family;
  socket.local_address.assign(bytes, family == AF_INET ? 4 : 16);
  return true;
}

InetSocket read_item(CaptureReader& reader, const YamlNode& item) {
  InetSocket socket;
  bool v6_only = false;
  reader.each(item, {
                        {"address",
                         [&](const YamlNode& n) {
                           if (!set_address(socket, n.scalar)) reader.fail(n, "an address is expected");
                         }},
                        {"port", [&](const YamlNode& n) { reader.number(n, socket.local_port); }},
                        {"uid", [&](const YamlNode& n) { reader.number(n, socket.uid); }},
                        {"inode", [&](const YamlNode& n) { reader.number(n, socket.inode); }},
                        {"interface", [&](const YamlNode& n) { reader.number(n, socket.interface); }},
                        {"v6only", [&](const YamlNode& n) { reader.boolean(n, v6_only); }},
                    });
  if (socket.family == AF_INET6) socket.v6_only = v6_only;
  return socket;
}

template <typename Number>
bool set_number(std::string_view text, Number& out) {
  const auto value = parse_unsigned(text);
  if (!value || *value > std::numeric_limits<Number>::max()) return false;
  out = static_cast<Number>(*value);
  return true;
}

bool set_option(InetSocket& socket, std::string_view word) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos) return false;
  const auto key = word.substr(0, equals);
  const auto value = word.substr(equals + 1);
  if (key == "uid") return set_number(value, socket.uid);
  if (key == "inode") return set_number(value, socket.inode);
  if (key == "interface") return set_number(value, socket.interface);
  if (key != "v6only" || socket.family != AF_INET6 || (value != "true" && value != "false")) return false;
  socket.v6_only = value == "true";
  return true;
}

// "::1 11434 uid=998 inode=31338 v6only=true"
std::optional<InetSocket> parse_line(std::string_view line) {
  const auto words = split_words(line);
  InetSocket socket;
  if (words.size() < 2 || !set_address(socket, std::string(words[0]))) return std::nullopt;
  if (!set_number(words[1], socket.local_port)) return std::nullopt;
  if (socket.family == AF_INET6) socket.v6_only = false;
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (!set_option(socket, words[i])) return std::nullopt;
  }
  return socket;
}

std::vector<InetSocket> read_lines(CaptureReader& reader, const YamlNode& node) {
  std::vector<InetSocket> sockets;
  std::size_t number = 0;
  for (const auto line : split(node.scalar, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    auto socket = parse_line(line);
    if (!socket) {
      reader.fail(node, concat({"socket, line ", std::to_string(number), ": no \"ADDRESS PORT [KEY=VALUE]...\""}));
      continue;
    }
    sockets.push_back(*std::move(socket));
  }
  return sockets;
}

}  // namespace

std::vector<InetSocket> read_captured_sockets(CaptureReader& reader, const YamlNode& node, std::uint8_t state) {
  std::vector<InetSocket> sockets;
  if (node.is_scalar()) {
    sockets = read_lines(reader, node);
  } else if (node.is_sequence()) {
    for (const auto& item : node.items) sockets.push_back(read_item(reader, item));
  } else {
    reader.fail(node, "a list of sockets, or a block of lines, is expected");
  }
  for (auto& socket : sockets) socket.state = state;
  return sockets;
}

}  // namespace gpuharden
