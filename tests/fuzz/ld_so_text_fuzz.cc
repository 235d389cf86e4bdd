// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/loader/ld_so_text.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(gpuharden::parse_ld_preload(text));
  static_cast<void>(gpuharden::parse_ld_so_conf(text));
  return 0;
}
