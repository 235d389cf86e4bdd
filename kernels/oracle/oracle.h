// SPDX-License-Identifier: GPL-2.0-or-later
// What a device must answer, from the seed alone. A sum over a product A·B, weighted by rows or columns, is known
// without the product: n² steps instead of n³. Nothing here knows a vendor library; all arithmetic is modulo 2^64.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gpuharden::kernels {

// The types of matrix products, in the order of the protocol: fp64 fp32 tf32 bf16 fp16 int8.
constexpr std::uint32_t kFormatCount = 6;
std::string_view format_name(std::uint32_t format);
// Words in which an operand matrix of n × n takes its room, and an element of the result.
std::uint64_t operand_bytes(std::uint32_t format, std::uint32_t n);
std::uint32_t result_bytes(std::uint32_t format);
// n must be a multiple of this.
std::uint32_t tile_of(std::uint32_t format);

// The largest operand with which every partial sum of n terms is exact; kernels/README.md has the proof.
std::uint32_t operand_range(std::uint32_t format, std::uint32_t n);

struct ProductKey {
  std::uint32_t format = 0;
  std::uint32_t n = 0;
  std::uint64_t seed = 0;
  auto operator<=>(const ProductKey&) const = default;
};

// The weighted sums of all rows and of all columns of the product, as integers modulo 2^64.
struct ProductSums {
  std::vector<std::uint64_t> rows, columns;
};
ProductSums expected_sums(const ProductKey& key);
// One element of the product, as the integer that it stands for.
std::int64_t expected_element(const ProductKey& key, std::uint32_t row, std::uint32_t column);
// The integer that an element of C stands for, from its bits in the device's memory; INT64_MIN when it cannot be one.
std::int64_t element_value(const ProductKey& key, std::uint32_t row, std::uint32_t column, std::uint64_t bits);

// One number for many: differs, but for one chance in 2^60, when any of them differs.
std::uint64_t fold(std::span<const std::uint64_t> values);

// Elements that are recomputed one by one; the place of sample `index`, by the seed.
struct Place {
  std::uint32_t row = 0, column = 0;
};
constexpr std::uint32_t kSamples = 16;
Place sample_place(const ProductKey& key, std::uint32_t index);

// Σ weight·data over 2^bits words that went through a permutation and back.
std::uint64_t expected_data(std::uint64_t count, std::uint64_t seed);
// The data and weight of one word, for what is summed on the host.
std::uint64_t data_word(std::uint64_t seed, std::uint64_t index);
std::uint64_t data_weight(std::uint64_t seed, std::uint64_t index);
// Where scatter() puts a word.
std::uint64_t permuted_place(std::uint64_t seed, std::uint64_t index, std::uint32_t bits);

struct BinSums {
  std::uint64_t wide = 0, narrow = 0;  // folds over the bins of 64 and of 32 bits
  std::uint64_t maximum = 0, minimum = 0;
};
BinSums expected_bins(std::uint64_t count, std::uint32_t bits, std::uint64_t seed);

// What a pattern over words [base, base + count) adds up to; see pattern() in device/numbers.h. `flip`: all ones or 0.
struct PatternKey {
  std::uint64_t a = 0, b = 0, flip = 0, base = 0, count = 0;
};
struct PatternSums {
  std::uint64_t sum = 0, weighted = 0;
};
PatternSums expected_pattern(const PatternKey& key);

// Seeds of a run: the second product of a type has other data than the first.
std::uint64_t derived_seed(std::uint64_t seed, std::uint32_t purpose);

}  // namespace gpuharden::kernels
