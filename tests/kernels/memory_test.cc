// SPDX-License-Identifier: GPL-2.0-or-later
// Permutations, atomic additions and memory patterns: the kernels' host build against their closed forms, and against
// what a faulty memory would do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "kernels/host/host_kernels.h"
#include "kernels/oracle/oracle.h"
#include "kernels/oracle/plan.h"

namespace gpuharden::test {
namespace {

using Words = std::vector<unsigned long long>;
constexpr std::uint32_t kBits = 12;
constexpr unsigned long long kCount = 1ULL << kBits;
constexpr unsigned long long kSeed = 99;

template <typename... Values>
void run(std::string_view kernel, std::uint32_t blocks, Values... values) {
  void* arguments[] = {&values...};
  ASSERT_TRUE(kernels::run_on_host(kernel, {blocks, 1}, arguments));
}

Words new_result() {
  Words result(8, 0);
  result[2] = ~0ULL;
  result[7] = ~0ULL;
  return result;
}

Words round_trip() {
  Words middle(kCount);
  Words back(kCount);
  run("gh_scatter", kCount / 256, middle.data(), kBits, kSeed);
  run("gh_gather", kCount / 256, back.data(), middle.data(), kBits, kSeed);
  return back;
}

Words checked(Words& words) {
  Words result = new_result();
  run("gh_check_data", kCount / 256, words.data(), kCount, kSeed, result.data());
  return result;
}

TEST(Permutation, IsOne) {
  for (const std::uint32_t bits : {1U, 2U, 7U, 12U, 13U}) {
    std::set<std::uint64_t> places;
    for (std::uint64_t i = 0; i < (1ULL << bits); ++i) places.insert(kernels::permuted_place(5, i, bits));
    EXPECT_EQ(places.size(), 1ULL << bits) << bits;
    EXPECT_LT(*places.rbegin(), 1ULL << bits) << bits;
  }
}

TEST(Permutation, ComesBackAndSumsUpToTheClosedForm) {
  Words words = round_trip();
  const Words result = checked(words);
  EXPECT_EQ(result[0], kCount);
  EXPECT_EQ(result[1], 0U);
  EXPECT_EQ(result[4], kernels::expected_data(kCount, kSeed));
}

TEST(Permutation, AWordThatWentAstrayIsFound) {
  Words words = round_trip();
  words[777] ^= 1ULL << 40U;
  const Words result = checked(words);
  EXPECT_EQ(result[0], kCount - 1);
  EXPECT_EQ(result[1], 1U);
  EXPECT_EQ(result[2], 777U);
  EXPECT_EQ(result[5], 1ULL << 40U);
  EXPECT_NE(result[4], kernels::expected_data(kCount, kSeed));
}

TEST(Bins, AreTheSumsOfTheirValues) {
  Words bins(64);
  std::vector<unsigned> narrow(64);
  Words result = new_result();
  run("gh_bins", kCount / 256, bins.data(), narrow.data(), kCount, 6U, kSeed, result.data());
  const auto expected = kernels::expected_bins(kCount, 6, kSeed);
  const std::vector<std::uint64_t> wide(bins.begin(), bins.end());
  EXPECT_EQ(kernels::fold(wide), expected.wide);
  EXPECT_EQ(kernels::fold(std::vector<std::uint64_t>(narrow.begin(), narrow.end())), expected.narrow);
  EXPECT_EQ(result[6], expected.maximum);
  EXPECT_EQ(result[7], expected.minimum);
  EXPECT_EQ(result[0], kCount);
}

TEST(Bins, ALostAdditionChangesTheFold) {
  const auto expected = kernels::expected_bins(kCount, 6, kSeed);
  EXPECT_NE(expected.wide, kernels::expected_bins(kCount - 1, 6, kSeed).wide);
  EXPECT_NE(expected.narrow, kernels::expected_bins(kCount - 1, 6, kSeed).narrow);
}

class Patterns : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Flip, Patterns, testing::Values(0, ~std::uint64_t{0}));

TEST_P(Patterns, SumUpToTheClosedForm) {
  for (const auto& plan : kernels::patterns_of(3)) {
    Words words(100'003);
    const unsigned long long base = 1ULL << 33U;
    const unsigned long long flip = GetParam();
    run("gh_write_pattern", 7, words.data(), 100'003ULL, base, static_cast<unsigned long long>(plan.a),
        static_cast<unsigned long long>(plan.b), flip);
    Words result = new_result();
    run("gh_check_pattern", 7, words.data(), 100'003ULL, base, static_cast<unsigned long long>(plan.a),
        static_cast<unsigned long long>(plan.b), flip, result.data());
    const auto expected = kernels::expected_pattern({plan.a, plan.b, flip, base, words.size()});
    EXPECT_EQ(result[0], words.size());
    EXPECT_EQ(result[1], 0U);
    EXPECT_EQ(result[3], expected.sum);
    EXPECT_EQ(result[4], expected.weighted);
  }
}

TEST_P(Patterns, ABitThatStuckIsLocated) {
  Words words(20'000);
  const unsigned long long flip = GetParam();
  run("gh_write_pattern", 2, words.data(), 20'000ULL, 0ULL, 3ULL, 5ULL, flip);
  words[17'001] ^= 4;
  Words result = new_result();
  run("gh_check_pattern", 2, words.data(), 20'000ULL, 0ULL, 3ULL, 5ULL, flip, result.data());
  EXPECT_EQ(result[1], 1U);
  EXPECT_EQ(result[2], 17'001U);
  EXPECT_EQ(result[5], 4U);
  EXPECT_EQ(result[0], 19'999U);
}

TEST(Patterns, OfNoWordsAreNothing) {
  const auto sums = kernels::expected_pattern({3, 5, ~std::uint64_t{0}, 9, 0});
  EXPECT_EQ(sums.sum, 0U);
  EXPECT_EQ(sums.weighted, 0U);
}

TEST(Plans, EveryLevelCoversEveryFormat) {
  for (const auto* word : {"tiny", "quick", "standard", "full"}) {
    const auto level = kernels::parse_level(word);
    ASSERT_TRUE(level.has_value());
    EXPECT_EQ(kernels::to_string(*level), word);
    const auto plan = kernels::plan_of(*level);
    EXPECT_EQ(plan.products.size(), kernels::kFormatCount);
    for (const auto& product : plan.products) EXPECT_EQ(product.n % kernels::tile_of(product.format), 0U);
  }
  EXPECT_FALSE(kernels::parse_level("fast").has_value());
}

// C157: beside a tenant no more than 64 MiB.
TEST(Plans, AQuickOneTakesLittleMemory) {
  const auto plan = kernels::plan_of(kernels::Level::kQuick);
  for (const auto& product : plan.products) {
    const auto bytes = 2 * kernels::operand_bytes(product.format, product.n) +
                       std::uint64_t{product.n} * product.n * kernels::result_bytes(product.format);
    EXPECT_LE(bytes, 64U << 20U) << product.format;
  }
  EXPECT_LE(plan.pattern_bytes, 64U << 20U);
}

}  // namespace
}  // namespace gpuharden::test
