// SPDX-License-Identifier: GPL-2.0-or-later
// The guard's file, which others may have changed: what is taken for a plan makes the same file again.
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "remediations/nft_guard.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto plan = gpuharden::read_guard_file(text);
  if (plan && gpuharden::guard_file(*plan).value() != text) throw std::logic_error("another file");
  return 0;
}
