// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's taint bits.
#pragma once

#include <cstdint>
#include <string>

namespace gpuharden {

// One letter for each set bit, in the order of the bits: 4097 is "PO". A bit without a letter is '?'.
std::string taint_letters(std::uint64_t bits);

}  // namespace gpuharden
