// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/elf_note.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = gpuharden::test::text_of(data, size);
  static_cast<void>(gpuharden::elf_build_id(text));
  gpuharden::test::require(gpuharden::build_id_of_note(text).size() <= 128);
  return 0;
}
