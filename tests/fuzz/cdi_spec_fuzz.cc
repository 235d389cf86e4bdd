// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checks/containers/cdi_spec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto format : {gpuharden::CdiFormat::kYaml, gpuharden::CdiFormat::kJson}) {
    const auto spec = gpuharden::parse_cdi_spec(text, format);
    if (!spec) continue;
    for (const auto& edit : spec->edits) static_cast<void>(gpuharden::library_version(edit.path));
  }
  return 0;
}
