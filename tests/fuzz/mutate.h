// SPDX-License-Identifier: GPL-2.0-or-later
// Variations of an input that are the same on every machine and in every run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden::test {

// SplitMix64: small, and the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  // Below `bound`; 0 when the bound is 0.
  std::size_t below(std::size_t bound);

 private:
  std::uint64_t state_;
};

// `input` with one to four changes: bytes flipped, replaced, removed, repeated, cut, or spliced with
// one of `others`. At most 64 KiB.
std::string mutate(std::string_view input, const std::vector<std::string>& others, Random& random);

}  // namespace gpuharden::test
