// SPDX-License-Identifier: GPL-2.0-or-later
// os-release(5).
#include "checks/system/os_release.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const auto& [name, value] : gpuharden::parse_os_release(gpuharden::test::text_of(data, size))) {
    gpuharden::test::require(!name.empty());
    gpuharden::test::require(value.find('\n') == std::string::npos);
  }
  return 0;
}
