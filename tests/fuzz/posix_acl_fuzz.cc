// SPDX-License-Identifier: GPL-2.0-or-later
// The bytes of access control lists.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checks/devices/posix_acl.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  gpuharden::parse_posix_acl(text);
  return 0;
}
