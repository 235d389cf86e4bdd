// SPDX-License-Identifier: GPL-2.0-or-later
// /opt/rocm/.info/version.
#include "checks/amd/rocm_version.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto version = gpuharden::parse_rocm_version(gpuharden::test::text_of(data, size));
  gpuharden::test::require(!version || version->find_first_not_of("0123456789.") == std::string::npos);
  return 0;
}
