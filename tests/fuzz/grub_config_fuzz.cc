// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/grub_config.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = gpuharden::test::text_of(data, size);
  const auto grub = gpuharden::parse_grub_config(text);
  for (const auto& item : grub.items) gpuharden::test::require(item.entry.cmdline.size() <= 65536);
  for (const auto& value : grub.defaults) static_cast<void>(gpuharden::find_grub_default(grub.items, value));
  static_cast<void>(gpuharden::parse_grub_environment(text));
  return 0;
}
