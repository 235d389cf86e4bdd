// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/loader_entry.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = gpuharden::test::text_of(data, size);
  auto a = gpuharden::parse_loader_entry(text, "a.conf", {{"kernelopts", "ro"}});
  gpuharden::BootEntry b;
  a.id = text.substr(0, size / 2);
  b.id = text.substr(size / 2);
  gpuharden::test::require(!(gpuharden::is_newer_entry(a, b) && gpuharden::is_newer_entry(b, a)));
  static_cast<void>(gpuharden::parse_loader_default(text));
  static_cast<void>(gpuharden::parse_loader_variable(text));
  return 0;
}
