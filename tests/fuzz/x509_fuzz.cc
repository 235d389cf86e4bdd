// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/x509.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = gpuharden::test::text_of(data, size);
  static_cast<void>(gpuharden::parse_certificate(text));
  return 0;
}
