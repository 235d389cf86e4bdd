// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checks/apt/repository.h"
#include "checks/apt/source_entry.h"

// One-line source entries, and the URIs in them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (const auto& entry : gpuharden::parse_source_list(text).entries) {
    for (const auto& uri : entry.uris)
      static_cast<void>(gpuharden::parse_repository(uri, entry.suites.empty() ? "" : entry.suites[0]));
  }
  return 0;
}
