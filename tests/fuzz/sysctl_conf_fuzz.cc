// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "checks/kernel/sysctl_conf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::uint32_t> bad_lines;
  for (const auto& line : gpuharden::parse_sysctl_conf(text, bad_lines))
    static_cast<void>(gpuharden::sysctl_key(line.path));
  return 0;
}
