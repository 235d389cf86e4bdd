// SPDX-License-Identifier: GPL-2.0-or-later
// Properties of /sys/class/kfd.
#include "checks/amd/kfd_topology.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto properties = gpuharden::parse_kfd_properties(gpuharden::test::text_of(data, size));
  for (const auto& [name, value] : properties.values) {
    gpuharden::test::require(!name.empty() && name.find('\n') == std::string::npos);
    const auto gfx = gpuharden::gfx_name(value);
    gpuharden::test::require(!gfx || (gfx->starts_with("gfx") && gfx->size() <= 7));
  }
  return 0;
}
