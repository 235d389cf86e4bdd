// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/oracle/oracle.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "kernels/device/formats.h"

namespace gpuharden::kernels {
namespace {

__extension__ typedef unsigned __int128 Wide;

const FormatFacts& facts(std::uint32_t format) { return kFormatFacts[std::min(format, kFormatCount - 1)]; }

// Calls use(k, value) for all operands of one row; n is even.
template <typename Use>
void each_operand(const ProductKey& key, std::uint64_t stream, std::uint32_t row, std::uint32_t range, Use use) {
  for (std::uint32_t k = 0; k + 1 < key.n; k += 2) {
    const std::uint64_t bits = operand_bits(key.seed, stream, row, k);
    use(k, std::int64_t{operand_of(bits, range)});
    use(k + 1, std::int64_t{operand_of(bits >> 32U, range)});
  }
}

// Σ over rows of weight·operand, for each k.
std::vector<std::uint64_t> weighted_operands(const ProductKey& key, std::uint64_t stream, std::uint64_t weights) {
  const std::uint32_t range = operand_range(key.format, key.n);
  std::vector<std::uint64_t> sums(key.n);
  for (std::uint32_t row = 0; row < key.n; ++row) {
    const std::uint64_t w = weight(key.seed, weights, row);
    each_operand(key, stream, row, range,
                 [&](std::uint32_t k, std::int64_t value) { sums[k] += w * static_cast<std::uint64_t>(value); });
  }
  return sums;
}

// Σ over k of operand·vector, for each row.
std::vector<std::uint64_t> applied(const ProductKey& key, std::uint64_t stream,
                                   const std::vector<std::uint64_t>& vector) {
  const std::uint32_t range = operand_range(key.format, key.n);
  std::vector<std::uint64_t> sums(key.n);
  for (std::uint32_t row = 0; row < key.n; ++row) {
    each_operand(key, stream, row, range, [&](std::uint32_t k, std::int64_t value) {
      sums[row] += static_cast<std::uint64_t>(value) * vector[k];
    });
  }
  return sums;
}

}  // namespace

std::string_view format_name(std::uint32_t format) { return facts(format).name; }

std::uint64_t operand_bytes(std::uint32_t format, std::uint32_t n) {
  return std::uint64_t{n} * n / facts(format).per_word * facts(format).word_bytes;
}

std::uint32_t result_bytes(std::uint32_t format) { return facts(format).result_bytes; }

std::uint32_t tile_of(std::uint32_t format) { return std::max(facts(format).tile, 64U); }

std::uint32_t operand_range(std::uint32_t format, std::uint32_t n) {
  const std::uint64_t limit = (std::uint64_t{1} << facts(format).sum_bits) / std::max(n, 1U);
  std::uint64_t range = facts(format).range_cap;
  while (range * range > limit) --range;
  return static_cast<std::uint32_t>(range);
}

ProductSums expected_sums(const ProductKey& key) {
  // C·w = A·(B·w), and u·C = (u·A)·B: B is held by columns.
  return {applied(key, kStreamA, weighted_operands(key, kStreamB, kStreamColumnWeight)),
          applied(key, kStreamB, weighted_operands(key, kStreamA, kStreamRowWeight))};
}

std::int64_t expected_element(const ProductKey& key, std::uint32_t row, std::uint32_t column) {
  const std::uint32_t range = operand_range(key.format, key.n);
  std::int64_t sum = 0;
  for (std::uint32_t k = 0; k < key.n; ++k) {
    sum += std::int64_t{operand(key.seed, kStreamA, row, k, range)} * operand(key.seed, kStreamB, column, k, range);
  }
  return sum;
}

std::int64_t element_value(const ProductKey& key, std::uint32_t row, std::uint32_t column, std::uint64_t bits) {
  const std::uint32_t spread = facts(key.format).spread;
  const i32 power =
      exponent(key.seed, kStreamRowExponent, row, spread) + exponent(key.seed, kStreamColumnExponent, column, spread);
  i64 value = 0;
  bool good = false;
  if (key.format == kFp64) {
    good = integer_of(std::bit_cast<double>(bits), power, &value);
  } else if (key.format == kInt8) {
    good = integer_of(static_cast<i32>(static_cast<std::uint32_t>(bits)), 0, &value);
  } else {
    good = integer_of(std::bit_cast<float>(static_cast<std::uint32_t>(bits)), power, &value);
  }
  return good ? value : std::numeric_limits<std::int64_t>::min();
}

std::uint64_t fold(std::span<const std::uint64_t> values) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < values.size(); ++i) sum += values[i] * weight(0, kStreamFold, i);
  return sum;
}

Place sample_place(const ProductKey& key, std::uint32_t index) {
  const std::uint64_t bits = draw(key.seed, kStreamSample, index);
  return {static_cast<std::uint32_t>((bits & 0xFFFFFFFFU) % key.n), static_cast<std::uint32_t>((bits >> 32U) % key.n)};
}

std::uint64_t data_word(std::uint64_t seed, std::uint64_t index) { return draw(seed, kStreamData, index); }
std::uint64_t data_weight(std::uint64_t seed, std::uint64_t index) { return weight(seed, kStreamWeight, index); }
std::uint64_t permuted_place(std::uint64_t seed, std::uint64_t index, std::uint32_t bits) {
  return permuted(seed, index, bits);
}

std::uint64_t expected_data(std::uint64_t count, std::uint64_t seed) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < count; ++i) sum += data_word(seed, i) * data_weight(seed, i);
  return sum;
}

BinSums expected_bins(std::uint64_t count, std::uint32_t bits, std::uint64_t seed) {
  std::vector<std::uint64_t> wide(std::size_t{1} << bits);
  std::vector<std::uint32_t> narrow(wide.size());
  BinSums sums;
  sums.minimum = std::numeric_limits<std::uint64_t>::max();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t value = draw(seed, kStreamBins, i);
    const std::size_t bin = value & (wide.size() - 1);
    wide[bin] += value;
    narrow[bin] += static_cast<std::uint32_t>(value >> 32U);
    sums.maximum = std::max(sums.maximum, value);
    sums.minimum = std::min(sums.minimum, value);
  }
  sums.wide = fold(wide);
  sums.narrow = fold(std::vector<std::uint64_t>(narrow.begin(), narrow.end()));
  return sums;
}

PatternSums expected_pattern(const PatternKey& key) {
  const Wide m = key.count;
  // Σ t and Σ t² for t below m: the divisions are exact.
  const auto first = static_cast<std::uint64_t>(m == 0 ? 0 : m * (m - 1) / 2);
  const auto second = static_cast<std::uint64_t>(m == 0 ? 0 : (m - 1) * m * (2 * m - 1) / 6);
  const std::uint64_t places = key.base * key.count + first;
  const std::uint64_t squares = key.base * key.base * key.count + 2 * key.base * first + second;
  PatternSums sums{key.a * places + key.b * key.count, key.a * squares + key.b * places};
  // Flipping all bits of x gives -1 - x.
  if (key.flip != 0) sums = {0 - key.count - sums.sum, 0 - places - sums.weighted};
  return sums;
}

std::uint64_t derived_seed(std::uint64_t seed, std::uint32_t purpose) { return mix(seed + mix(purpose)); }

}  // namespace gpuharden::kernels
