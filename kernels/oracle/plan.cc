// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/oracle/plan.h"

#include <array>

#include "kernels/oracle/oracle.h"

namespace gpuharden::kernels {
namespace {

constexpr std::array<std::string_view, 4> kLevels = {"tiny", "quick", "standard", "full"};

struct Sizes {
  std::uint32_t n, fp32_n, repeats, data_bits, bin_bits;
  std::uint64_t pattern_bytes;
};
// A quick product of fp32 takes 48 MiB: C157 asks for no more than 64 beside a tenant.
constexpr std::array<Sizes, 4> kSizes = {{{256, 256, 1, 12, 6, 1U << 20U},
                                          {1024, 2048, 3, 20, 12, 32U << 20U},
                                          {4096, kRateSize, 10, 24, 16, 1U << 30U},
                                          {4096, kRateSize, 50, 26, 16, 0}}};
constexpr std::uint32_t kFp32 = 1;

}  // namespace

std::optional<Level> parse_level(std::string_view word) {
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (kLevels.at(i) == word) return static_cast<Level>(i);
  }
  return std::nullopt;
}

std::string_view to_string(Level level) { return kLevels.at(static_cast<std::size_t>(level)); }

Plan plan_of(Level level) {
  const Sizes& sizes = kSizes.at(static_cast<std::size_t>(level));
  Plan plan;
  for (std::uint32_t format = 0; format < kFormatCount; ++format)
    plan.products.push_back({format, format == kFp32 ? sizes.fp32_n : sizes.n, sizes.repeats});
  plan.data_bits = sizes.data_bits;
  plan.bin_bits = sizes.bin_bits;
  plan.pattern_bytes = sizes.pattern_bytes;
  // Such a library takes hundreds of MiB and half a second to load.
  plan.by_library = level != Level::kQuick;
  return plan;
}

std::vector<PatternPlan> patterns_of(std::uint64_t seed) {
  // Alternating bits, then noise that tells every word's place.
  return {{0, 0x5555555555555555ULL}, {derived_seed(seed, 0x70U) | 1U, derived_seed(seed, 0x71U)}};
}

}  // namespace gpuharden::kernels
