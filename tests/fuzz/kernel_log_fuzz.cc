// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/kernel_log.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = gpuharden::test::text_of(data, size);
  const auto summary = gpuharden::parse_kernel_log(text);
  std::uint64_t count = 0;
  for (const auto& event : summary.events) count += event.count;
  gpuharden::test::require(count <= summary.lines && summary.events.size() <= 1000);
  return 0;
}
