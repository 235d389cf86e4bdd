// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/network/proc_net.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
constexpr std::size_t kFields = 10;
constexpr std::size_t kLocal = 1;
constexpr std::size_t kState = 3;
constexpr std::size_t kUid = 7;
constexpr std::size_t kInode = 9;

using Fields = std::array<std::string_view, kFields>;

// Takes the next word off `line`.
std::string_view next_word(std::string_view& line) {
  const auto start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos) {
    line = {};
    return {};
  }
  const auto end = std::min(line.find_first_of(" \t", start), line.size());
  const auto word = line.substr(start, end - start);
  line.remove_prefix(end);
  return word;
}

// The kernel prints each 32-bit word as a number in the machine's own byte order.
bool parse_address(std::string_view text, int family, std::string& address) {
  const std::size_t words = family == AF_INET ? 1 : 4;
  if (text.size() != words * 8) return false;
  for (std::size_t i = 0; i < words; ++i) {
    const auto number = parse_unsigned(text.substr(i * 8, 8), 16);
    if (!number) return false;
    const auto word = static_cast<std::uint32_t>(*number);
    char bytes[sizeof word];
    std::memcpy(bytes, &word, sizeof word);
    address.append(bytes, sizeof word);
  }
  return true;
}

bool parse_socket(const Fields& fields, int family, InetSocket& socket) {
  const auto colon = fields[kLocal].find(':');
  if (colon == std::string_view::npos) return false;
  const auto port = parse_unsigned(fields[kLocal].substr(colon + 1), 16);
  const auto uid = parse_unsigned(fields[kUid]);
  const auto inode = parse_unsigned(fields[kInode]);
  if (!port || *port > UINT16_MAX || !uid || *uid > UINT32_MAX || !inode) return false;
  socket.family = family;
  socket.local_port = static_cast<std::uint16_t>(*port);
  socket.uid = static_cast<std::uint32_t>(*uid);
  socket.inode = *inode;
  return parse_address(fields[kLocal].substr(0, colon), family, socket.local_address);
}

}  // namespace

ProcNetTable parse_proc_net(std::string_view text, int family, std::uint8_t state) {
  ProcNetTable table;
  bool is_header = true;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (is_header || line.empty()) {
      is_header = false;
      continue;
    }
    Fields fields;
    for (std::size_t i = 0; i <= kState; ++i) fields[i] = next_word(line);
    const auto own_state = parse_unsigned(fields[kState], 16);
    if (own_state && *own_state != state) continue;
    for (std::size_t i = kState + 1; i < kFields; ++i) fields[i] = next_word(line);
    InetSocket socket;
    socket.state = state;
    if (own_state && parse_socket(fields, family, socket)) {
      table.sockets.push_back(std::move(socket));
    } else {
      ++table.bad_lines;
    }
  }
  return table;
}

}  // namespace gpuharden
