// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/taint.h"

#include <string_view>

namespace gpuharden {

std::string taint_letters(std::uint64_t bits) {
  static constexpr std::string_view kLetters = "PFSRMBUDAWCIOELKXTNJ";
  std::string letters;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((bits >> bit & 1U) != 0) letters += bit < kLetters.size() ? kLetters[bit] : '?';
  }
  return letters;
}

}  // namespace gpuharden
