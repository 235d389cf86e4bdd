// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/private_key.h"
#include "checks/kernel/proc_keys.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = gpuharden::test::text_of(data, size);
  static_cast<void>(gpuharden::parse_proc_keys(text));
  static_cast<void>(gpuharden::is_encrypted_key(text));
  return 0;
}
