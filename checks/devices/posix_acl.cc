// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/devices/posix_acl.h"

namespace gpuharden {
namespace {

constexpr std::size_t kHeaderSize = 4;
constexpr std::size_t kEntrySize = 8;
constexpr std::uint32_t kVersion = 2;
constexpr std::uint32_t kNamedUser = 0x02;
constexpr std::uint32_t kNamedGroup = 0x08;
constexpr std::uint32_t kMask = 0x10;

// Little-endian on every machine.
std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t number = 0;
  for (std::size_t i = size; i > 0; --i) number = number << 8U | static_cast<unsigned char>(bytes[at + i - 1]);
  return number;
}

}  // namespace

std::optional<std::vector<NamedAclEntry>> parse_posix_acl(std::string_view bytes) {
  if (bytes.size() < kHeaderSize || (bytes.size() - kHeaderSize) % kEntrySize != 0) return std::nullopt;
  if (number_at(bytes, 0, 4) != kVersion) return std::nullopt;
  std::vector<NamedAclEntry> entries;
  unsigned mask = 07;
  for (std::size_t at = kHeaderSize; at < bytes.size(); at += kEntrySize) {
    const auto tag = number_at(bytes, at, 2);
    const auto permissions = number_at(bytes, at + 2, 2) & 07U;
    if (tag == kMask) mask = permissions;
    if (tag != kNamedUser && tag != kNamedGroup) continue;
    entries.push_back({tag == kNamedGroup, number_at(bytes, at + 4, 4), permissions});
  }
  for (auto& entry : entries) entry.permissions &= mask;
  return entries;
}

}  // namespace gpuharden
