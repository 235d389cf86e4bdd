// SPDX-License-Identifier: GPL-2.0-or-later
// passwd(5) and group(5).
#include "checks/accounts/passwd.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = gpuharden::test::text_of(data, size);
  std::vector<std::uint32_t> bad_lines;
  for (const auto& entry : gpuharden::parse_passwd(text, bad_lines)) gpuharden::test::require(!entry.name.empty());
  for (const auto& entry : gpuharden::parse_group(text, bad_lines)) gpuharden::test::require(entry.line > 0);
  return 0;
}
