// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checks/services/jupyter_config.h"
#include "checks/services/python_lines.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(gpuharden::parse_jupyter_python(text));
  static_cast<void>(gpuharden::parse_jupyter_json(text));
  static_cast<void>(gpuharden::python_literal(text));
  return 0;
}
