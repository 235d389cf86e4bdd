// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/netlink_bytes.h"

#include <linux/netlink.h>

#include <algorithm>
#include <cstring>

namespace gpuharden {
namespace {

constexpr std::size_t kHeader = sizeof(nlmsghdr);
constexpr std::size_t kAttributeHeader = sizeof(nlattr);

std::size_t aligned(std::size_t size) { return (size + 3U) & ~std::size_t{3}; }

}  // namespace

std::optional<NetlinkMessage> next_message(std::string_view& bytes) {
  nlmsghdr header{};
  if (bytes.size() < kHeader) return std::nullopt;
  std::memcpy(&header, bytes.data(), kHeader);
  if (header.nlmsg_len < kHeader || header.nlmsg_len > bytes.size()) return std::nullopt;
  const NetlinkMessage message{header.nlmsg_type, header.nlmsg_flags,
                               bytes.substr(kHeader, header.nlmsg_len - kHeader)};
  bytes.remove_prefix(std::min(aligned(header.nlmsg_len), bytes.size()));
  return message;
}

void put_message(std::string& out, std::uint16_t type, std::uint16_t flags, std::string_view payload) {
  nlmsghdr header{};
  header.nlmsg_len = static_cast<std::uint32_t>(kHeader + payload.size());
  header.nlmsg_type = type;
  header.nlmsg_flags = flags;
  out.append(reinterpret_cast<const char*>(&header), kHeader);
  out.append(payload);
  out.append(aligned(payload.size()) - payload.size(), '\0');
}

std::optional<NetlinkAttribute> next_attribute(std::string_view& bytes) {
  nlattr header{};
  if (bytes.size() < kAttributeHeader) return std::nullopt;
  std::memcpy(&header, bytes.data(), kAttributeHeader);
  if (header.nla_len < kAttributeHeader || header.nla_len > bytes.size()) return std::nullopt;
  const NetlinkAttribute attribute{static_cast<std::uint16_t>(header.nla_type & NLA_TYPE_MASK),
                                   bytes.substr(kAttributeHeader, header.nla_len - kAttributeHeader)};
  bytes.remove_prefix(std::min(aligned(header.nla_len), bytes.size()));
  return attribute;
}

void put_attribute(std::string& out, std::uint16_t type, std::string_view bytes) {
  nlattr header{};
  header.nla_len = static_cast<std::uint16_t>(kAttributeHeader + bytes.size());
  header.nla_type = type;
  out.append(reinterpret_cast<const char*>(&header), kAttributeHeader);
  out.append(bytes);
  out.append(aligned(bytes.size()) - bytes.size(), '\0');
}

void put_text_attribute(std::string& out, std::uint16_t type, std::string_view text) {
  std::string bytes(text);
  bytes += '\0';
  put_attribute(out, type, bytes);
}

void put_number_attribute(std::string& out, std::uint16_t type, std::uint64_t value, std::size_t size) {
  put_attribute(out, type, to_network(value, size));
}

std::optional<std::string_view> find_attribute(std::string_view attributes, std::uint16_t type) {
  while (const auto attribute = next_attribute(attributes)) {
    if (attribute->type == type) return attribute->bytes;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> network_number(std::string_view bytes) {
  if (bytes.size() != 1 && bytes.size() != 2 && bytes.size() != 4 && bytes.size() != 8) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : bytes) value = (value << 8U) | static_cast<unsigned char>(c);
  return value;
}

std::string to_network(std::uint64_t value, std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i)
    bytes[size - 1 - i] = static_cast<char>(i < sizeof value ? value >> (8U * i) & 0xffU : 0U);
  return bytes;
}

std::string_view text_until_nul(std::string_view bytes) { return bytes.substr(0, bytes.find('\0')); }

}  // namespace gpuharden
