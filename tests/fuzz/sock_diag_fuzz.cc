// SPDX-License-Identifier: GPL-2.0-or-later
// Messages of the kernel's socket tables.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/native/sock_diag.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (const auto sockets = gpuharden::decode_inet_sockets(text)) gpuharden::encode_inet_sockets(*sockets);
  return 0;
}
