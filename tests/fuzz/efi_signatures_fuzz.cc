// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/efi_signatures.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = gpuharden::test::text_of(data, size);
  for (const auto& found : gpuharden::parse_efi_signatures(text).signatures)
    gpuharden::test::require(found.data.size() <= size);
  return 0;
}
