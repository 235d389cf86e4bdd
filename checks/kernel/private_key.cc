// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/private_key.h"

#include "checks/kernel/der.h"

namespace gpuharden {

std::optional<bool> is_encrypted_key(std::string_view start) {
  constexpr auto kNone = std::string_view::npos;
  if (start.find("-----BEGIN ") != kNone) {
    if (start.find("PRIVATE KEY-----") == kNone) return std::nullopt;
    return start.find("BEGIN ENCRYPTED ") != kNone || start.find("Proc-Type: 4,ENCRYPTED") != kNone;
  }
  if (start.size() < 4 || static_cast<unsigned char>(start[0]) != kDerSequence) return std::nullopt;
  const auto size = static_cast<unsigned char>(start[1]);
  const std::size_t at = 2 + (size >= 0x80 ? size & 0x7fU : 0U);
  if (at >= start.size()) return std::nullopt;
  const auto tag = static_cast<unsigned char>(start[at]);
  // A plain key begins with its version, an encrypted one with the cipher.
  if (tag == kDerInteger) return false;
  return tag == kDerSequence ? std::optional(true) : std::nullopt;
}

}  // namespace gpuharden
