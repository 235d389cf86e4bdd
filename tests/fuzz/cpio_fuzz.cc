// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/cpio.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // The first byte says how large the pieces are.
  const std::size_t piece = std::size_t{data[0]} + 1;
  auto text = gpuharden::test::text_of(data + 1, size - 1);
  gpuharden::CpioReader reader([](const gpuharden::CpioEntry&) { return true; },
                               [](const gpuharden::CpioEntry& entry) {
                                 gpuharden::test::require(entry.content.size() <= entry.size);
                                 gpuharden::test::require(entry.content.size() <= 65536);
                               });
  while (!text.empty() && !reader.has_ended() && !reader.is_malformed()) {
    const auto taken = reader.feed(text.substr(0, piece));
    gpuharden::test::require(taken > 0);
    text.remove_prefix(taken);
  }
  return 0;
}
