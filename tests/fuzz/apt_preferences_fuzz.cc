// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/apt_preferences.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checks/apt/upgrade_origin.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& pin : gpuharden::parse_apt_preferences(text)) {
    static_cast<void>(gpuharden::parse_allowed_origin(pin.pin));
    static_cast<void>(gpuharden::parse_origins_pattern(pin.pin));
  }
  static_cast<void>(gpuharden::expand_distro(text, "Debian", "sid"));
  return 0;
}
