// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "checks/environment/shell_assignments.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(gpuharden::parse_shell(text, {{"HOME", "/root"}}));
  static_cast<void>(gpuharden::parse_fish(text));
  static_cast<void>(gpuharden::parse_csh(text));
  return 0;
}
