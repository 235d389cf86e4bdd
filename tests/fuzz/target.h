// SPDX-License-Identifier: GPL-2.0-or-later
// What a fuzz target is: one function, called with bytes that nobody has checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// Returns 0. Anything else than a return (a signal, an exception, more than a few seconds) is a finding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace gpuharden::test {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// For properties of a result: a broken one is a crash.
inline void require(bool condition) {
  if (!condition) __builtin_trap();
}

}  // namespace gpuharden::test
