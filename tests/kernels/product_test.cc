// SPDX-License-Identifier: GPL-2.0-or-later
// The kernels' host build against slow references, and against faults that are planted in what they computed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "kernels/oracle/oracle.h"
#include "tests/kernels/host_product.h"

namespace gpuharden::test {
namespace {
using kernels::ProductKey;
using testing::Each;

class Products : public testing::TestWithParam<std::uint32_t> {
 protected:
  ProductKey key() const { return {GetParam(), kernels::tile_of(GetParam()) * 2, 42}; }
};

std::string name_of(const testing::TestParamInfo<std::uint32_t>& info) {
  return std::string(kernels::format_name(info.param));
}
INSTANTIATE_TEST_SUITE_P(Formats, Products, testing::Range(0U, kernels::kFormatCount), name_of);

TEST_P(Products, EveryElementIsTheSumOfItsProducts) {
  HostProduct product(key());
  product.compute();
  std::size_t wrong = 0;
  for (std::uint32_t row = 0; row < key().n; ++row) {
    for (std::uint32_t column = 0; column < key().n; column += 7)
      wrong += product.element(row, column) != kernels::expected_element(key(), row, column) ? 1U : 0U;
  }
  EXPECT_EQ(wrong, 0U);
  EXPECT_THAT(product.tiles(), Each(0x80000000U));
}

TEST_P(Products, SumsOfRowsAndColumnsAreTheClosedForm) {
  HostProduct product(key());
  product.compute();
  const auto sums = kernels::expected_sums(key());
  product.check();
  EXPECT_EQ(product.rows(), sums.rows);
  EXPECT_EQ(product.columns(), sums.columns);
  EXPECT_EQ(product.verified(), std::uint64_t{key().n} * key().n);
  EXPECT_EQ(product.bad(), 0U);
}

TEST_P(Products, OneFlippedBitChangesExactlyItsRowAndColumn) {
  HostProduct product(key());
  product.compute();
  product.flip_bit(5, 9, GetParam() == 0 ? 51 : 3);
  product.check();
  const auto sums = kernels::expected_sums(key());
  for (std::uint32_t i = 0; i < key().n; ++i) {
    EXPECT_EQ(product.rows()[i] != sums.rows[i], i == 5) << i;
    EXPECT_EQ(product.columns()[i] != sums.columns[i], i == 9) << i;
  }
}

TEST_P(Products, WhatWasNeverWrittenIsNoResult) {
  HostProduct product(key());
  product.check();
  EXPECT_EQ(product.verified(), 0U);
  EXPECT_EQ(product.bad(), std::uint64_t{key().n} * key().n);
  EXPECT_EQ(product.first_bad(), 0U);
}

TEST_P(Products, AnotherSeedHasOtherSums) {
  ProductKey other = key();
  other.seed = 43;
  EXPECT_NE(kernels::fold(kernels::expected_sums(key()).rows), kernels::fold(kernels::expected_sums(other).rows));
  EXPECT_NE(kernels::fold(kernels::expected_sums(key()).columns), kernels::fold(kernels::expected_sums(other).columns));
}

TEST_P(Products, AResultForAnotherSeedIsSeen) {
  HostProduct product(key());
  product.compute();
  product.pretend_seed(43);
  product.check();
  ProductKey other = key();
  other.seed = 43;
  EXPECT_NE(product.rows(), kernels::expected_sums(other).rows);
}

// The largest sum of absolute values that an element can have, from the operands themselves.
TEST_P(Products, EveryPartialSumIsExact) {
  constexpr std::uint32_t kSumBits[] = {53, 24, 24, 24, 24, 31};
  for (const std::uint32_t n : {256U, 1024U, 4096U, 8192U}) {
    const std::uint64_t range = kernels::operand_range(GetParam(), n);
    EXPECT_LE(n * range * range, std::uint64_t{1} << kSumBits[GetParam()]) << n;
    EXPECT_GE(range, 32U) << n;
  }
}

// The operands as the types hold them: significands of 8 bits in bf16, 11 in tf32 and fp16, 8 in int8 with the sign.
TEST_P(Products, OperandsFitTheirType) {
  constexpr std::uint64_t kLimit[] = {1ULL << 53U, 1U << 24U, 1U << 11U, 1U << 8U, 1U << 11U, 127};
  EXPECT_LE(kernels::operand_range(GetParam(), 256), kLimit[GetParam()]);
}

}  // namespace
}  // namespace gpuharden::test
