// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/initramfs.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static_cast<void>(gpuharden::read_initramfs(gpuharden::test::text_of(data, size)));
  return 0;
}
