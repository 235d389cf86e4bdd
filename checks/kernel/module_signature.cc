// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/module_signature.h"

#include <cstdint>

namespace gpuharden {
namespace {

constexpr std::string_view kTrailer = "~Module signature appended~\n";
// algorithm, hash, kind, two lengths, three bytes of padding, then the message's size, big-endian.
constexpr std::size_t kHeaderSize = 12;
constexpr std::size_t kKindAt = 2;
constexpr unsigned char kPkcs7 = 2;

}  // namespace

Result<std::optional<ModuleSignature>> find_module_signature(std::string_view module) {
  if (!module.ends_with(kTrailer)) return std::optional<ModuleSignature>();
  module.remove_suffix(kTrailer.size());
  if (module.size() < kHeaderSize) return Error{ErrorCode::kMalformed, "module signature: cut"};
  const auto header = module.substr(module.size() - kHeaderSize);
  module.remove_suffix(kHeaderSize);
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(header[at]); };
  if (byte(kKindAt) != kPkcs7) return Error{ErrorCode::kMalformed, "module signature: not PKCS#7"};
  std::size_t size = 0;
  for (std::size_t i = 8; i < kHeaderSize; ++i) size = size << 8U | byte(i);
  if (size == 0 || size > module.size()) return Error{ErrorCode::kMalformed, "module signature: its size does not fit"};
  return std::optional(ModuleSignature{size});
}

}  // namespace gpuharden
