// SPDX-License-Identifier: GPL-2.0-or-later
// Which checks make up a level. The worker does them, and who judges the worker asks for each of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gpuharden::kernels {

enum class Level : std::uint8_t {
  kTiny,      // for tests and emulators: every check once, of a size that says nothing of speed
  kQuick,     // at most a second and 64 MiB
  kStandard,  // at most ten seconds
  kFull,      // nine tenths of the free memory
};
std::optional<Level> parse_level(std::string_view word);
std::string_view to_string(Level level);

struct ProductPlan {
  std::uint32_t format = 0;
  std::uint32_t n = 0;
  std::uint32_t repeats = 0;  // timed launches, after the first one
};

struct Plan {
  std::vector<ProductPlan> products;
  std::uint32_t data_bits = 0;      // words of the permutation, the copies and the atomic additions: 2^data_bits
  std::uint32_t bin_bits = 0;       // bins of the atomic additions
  std::uint64_t pattern_bytes = 0;  // memory that patterns go through; 0: nine tenths of what is free
  bool by_library = false;          // the products once more by the vendor's library, where there is one
};
Plan plan_of(Level level);

// Purposes of derived_seed(); the products use 2·format and 2·format + 1.
constexpr std::uint32_t kPermutationPurpose = 0x20;
constexpr std::uint32_t kBinPurpose = 0x21;
constexpr std::uint32_t kPinnedPurpose = 0x22;
constexpr std::uint32_t kPeerPurpose = 0x23;

// The size of the product whose rate is compared with --min-gflops.
constexpr std::uint32_t kRateSize = 4096;

// The affine patterns (a, b) that memory goes through; each of them also with all bits flipped.
struct PatternPlan {
  std::uint64_t a = 0, b = 0;
};
std::vector<PatternPlan> patterns_of(std::uint64_t seed);

}  // namespace gpuharden::kernels
