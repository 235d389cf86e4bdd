// SPDX-License-Identifier: GPL-2.0-or-later
// Examines one device by a plan and tells what it measured, a line a check. It judges nothing: whoever reads the lines
// knows what must stand in them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/oracle/plan.h"
#include "kernels/worker/driver.h"

namespace gpuharden::kernels {

// Faults that are planted to prove that they are found.
enum class Fault : std::uint8_t {
  kNone,
  kFlipProduct,   // a bit of one element of a product, between the product and its check
  kSkipProduct,   // the product is not launched
  kStaleProduct,  // the second product is not launched: the first one's result stays
  kFlipData,      // a bit of a word that went through the permutation
  kLostAddition,  // one addition less
  kFlipPattern,   // a bit of a word of a memory pattern
  kFlipPinned,    // a bit of a word that went through pinned memory
  kFlipLibrary,   // a bit of one element of a product of the vendor's library
  kHang,          // never ends
  kCrash,         // aborts
  kSilent,        // ends after the device was named
};
// kNone for "none"; nothing for unknown words.
std::optional<Fault> parse_fault(std::string_view word);

struct Examination {
  Level level = Level::kQuick;
  std::uint64_t seed = 0;
  Fault fault = Fault::kNone;
  int device = 0;
  std::vector<int> peers;
  std::string
      library;  // the driver's, by its path (tests); others of the vendor lie beside it. Else they are looked for
};

// Every check of the plan. Ends early, with the reason, when the vendor's library refuses something.
Failure examine(Driver& driver, const Examination& examination, const DeviceFacts& facts);

}  // namespace gpuharden::kernels
