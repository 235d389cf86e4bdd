// SPDX-License-Identifier: GPL-2.0-or-later
// Netlink messages and attributes as bytes: taken apart with bounds, and put together for captures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

struct NetlinkMessage {
  std::uint16_t type = 0;
  std::uint16_t flags = 0;
  std::string_view payload;
};

// Takes the first message off `bytes`; nothing, and `bytes` as it was, when it is cut.
std::optional<NetlinkMessage> next_message(std::string_view& bytes);
void put_message(std::string& out, std::uint16_t type, std::uint16_t flags, std::string_view payload);

struct NetlinkAttribute {
  std::uint16_t type = 0;  // without the flags in its highest bits
  std::string_view bytes;
};

// Takes the first attribute off `bytes`; nothing when they are at their end or cut: `bytes` is then not empty.
std::optional<NetlinkAttribute> next_attribute(std::string_view& bytes);
void put_attribute(std::string& out, std::uint16_t type, std::string_view bytes);
void put_text_attribute(std::string& out, std::uint16_t type, std::string_view text);  // with its NUL
void put_number_attribute(std::string& out, std::uint16_t type, std::uint64_t value, std::size_t size);

// The first attribute of that type, or nothing.
std::optional<std::string_view> find_attribute(std::string_view attributes, std::uint16_t type);

// A number of 1, 2, 4 or 8 bytes in network order; nothing for other sizes.
std::optional<std::uint64_t> network_number(std::string_view bytes);
std::string to_network(std::uint64_t value, std::size_t size);
// The bytes up to the first NUL.
std::string_view text_until_nul(std::string_view bytes);

}  // namespace gpuharden
