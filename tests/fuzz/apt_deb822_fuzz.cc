// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checks/apt/source_entry.h"
#include "checks/apt/source_options.h"

// Stanzas of sources, and the keys in them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (const auto& entry : gpuharden::parse_source_stanzas(text).entries) {
    const auto signed_by = entry.options.find("signed-by");
    if (signed_by != entry.options.end()) static_cast<void>(gpuharden::parse_signed_by(signed_by->second));
  }
  return 0;
}
