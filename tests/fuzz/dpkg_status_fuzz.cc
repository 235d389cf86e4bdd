// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "checks/apt/dpkg_status.h"

// The package database.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  std::vector<std::uint32_t> bad_lines;
  static_cast<void>(gpuharden::parse_dpkg_status(text, bad_lines));
  return 0;
}
