// SPDX-License-Identifier: GPL-2.0-or-later
// The file of compiled rules: what is damaged is refused, what is taken is what was written.
#include "engine/rules/compiled.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto rules = gpuharden::read_compiled(gpuharden::test::text_of(data, size));
  if (!rules) return 0;
  const std::string bytes = gpuharden::write_compiled(*rules);
  const auto again = gpuharden::read_compiled(bytes);
  gpuharden::test::require(again.has_value() && gpuharden::write_compiled(*again) == bytes);
  return 0;
}
