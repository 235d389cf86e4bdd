// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/efi_signatures.h"

#include <cstdint>

namespace gpuharden {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kHeader = 28;  // kind, then three sizes
constexpr std::size_t kGuid = 16;
constexpr std::size_t kMaxSignatures = 10000;
// a5c059a1-94e4-4aa7-87b5-ab155c2bf072 and c1c41626-504c-4092-aca9-41f936934328, as they lie in memory.
constexpr auto kX509 = "\xa1\x59\xc0\xa5\xe4\x94\xa7\x4a\x87\xb5\xab\x15\x5c\x2b\xf0\x72"sv;
constexpr auto kSha256 = "\x26\x16\xc4\xc1\x4c\x50\x92\x40\xac\xa9\x41\xf9\x36\x93\x43\x28"sv;

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8U | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

EfiSignatureKind kind_of(std::string_view guid) {
  if (guid == kX509) return EfiSignatureKind::kCertificate;
  return guid == kSha256 ? EfiSignatureKind::kSha256 : EfiSignatureKind::kOther;
}

}  // namespace

EfiSignatures parse_efi_signatures(std::string_view bytes) {
  EfiSignatures out;
  while (!bytes.empty()) {
    out.is_cut = true;
    if (bytes.size() < kHeader) return out;
    const auto kind = kind_of(bytes.substr(0, kGuid));
    const std::size_t list = little_endian(bytes.substr(16));
    const std::size_t header = little_endian(bytes.substr(20));
    const std::size_t each = little_endian(bytes.substr(24));
    if (list < kHeader || list > bytes.size() || header > list - kHeader || each <= kGuid) return out;
    auto body = bytes.substr(kHeader + header, list - kHeader - header);
    while (body.size() >= each && out.signatures.size() < kMaxSignatures) {
      out.signatures.push_back({kind, body.substr(kGuid, each - kGuid)});
      body.remove_prefix(each);
    }
    if (!body.empty()) return out;
    bytes.remove_prefix(list);
    out.is_cut = false;
  }
  return out;
}

}  // namespace gpuharden
