// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checks/apt/openpgp.h"

// Keyrings, armoured or binary.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  static_cast<void>(gpuharden::parse_keyring(text));
  return 0;
}
