// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/loader/icd_text.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(gpuharden::parse_opencl_icd(text));
  static_cast<void>(gpuharden::parse_icd_json(text));
  return 0;
}
