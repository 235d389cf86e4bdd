// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checks/apt/apt_conf.h"

// Configuration files, and what is in force after them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  gpuharden::AptSettings settings;
  for (const auto& statement : gpuharden::parse_apt_conf(text).statements) settings.apply(statement, "file");
  return 0;
}
