// SPDX-License-Identifier: GPL-2.0-or-later
// What is computed: operands, weights, permutations and patterns, each a function of the seed. Kernels and the host's
// closed forms share this file, and nothing else.
#pragma once

#include "kernels/device/target.h"

// A bijection of 64 bits that looks like noise (the finalizer of splitmix64).
GH_FUNCTION constexpr u64 mix(u64 x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}
// Streams of one seed that have nothing to do with each other.
enum Stream : u64 {
  kStreamA = 1,
  kStreamB = 2,
  kStreamRowWeight = 3,
  kStreamColumnWeight = 4,
  kStreamRowExponent = 5,
  kStreamColumnExponent = 6,
  kStreamData = 7,
  kStreamPermutation = 8,
  kStreamBins = 9,
  kStreamWeight = 10,
  kStreamSample = 11,
  kStreamFold = 12
};
GH_FUNCTION constexpr u64 draw(u64 seed, u64 stream, u64 index) { return mix(mix(seed ^ (stream << 56U)) + index); }

// An integer in [-range, range]; `row` is a row of A or a column of B, `k` the place in the sum. One draw serves two.
GH_FUNCTION constexpr u64 operand_bits(u64 seed, u64 stream, u32 row, u32 k) {
  return draw(seed, stream, (u64(row) << 32U) | (k >> 1U));
}
GH_FUNCTION constexpr i32 operand_of(u64 bits, u32 range) {
  return i32(((bits & 0xFFFFFFFFU) * (2ULL * range + 1)) >> 32U) - i32(range);
}
GH_FUNCTION constexpr i32 operand(u64 seed, u64 stream, u32 row, u32 k, u32 range) {
  return operand_of(operand_bits(seed, stream, row, k) >> ((k & 1U) * 32U), range);
}

// Odd, so that a wrong element cannot vanish in a weighted sum modulo 2^64.
GH_FUNCTION constexpr u64 weight(u64 seed, u64 stream, u64 index) { return draw(seed, stream, index) | 1U; }

// Each row of A and column of B is scaled by a power of two, so that exponents are exercised as well and every sum
// still has one unit in the last place. In [-spread, spread].
GH_FUNCTION constexpr i32 exponent(u64 seed, u64 stream, u32 row, u32 spread) {
  return i32(draw(seed, stream, row) % (2ULL * spread + 1)) - i32(spread);
}

// A bijection of [0, 2^bits).
GH_FUNCTION constexpr u64 permuted(u64 seed, u64 index, u32 bits) {
  const u64 mask = (1ULL << bits) - 1;
  const u32 half = (bits + 1) / 2;
  u64 x = index;
  for (u64 round = 0; round < 3; ++round) {
    const u64 key = draw(seed, kStreamPermutation, round);
    x = (x * (key | 1U) + (key >> 32U)) & mask;
    x ^= x >> half;
  }
  return x & mask;
}

// Memory patterns are a·i + b modulo 2^64: noise for the chip, and their sums have a closed form.
GH_FUNCTION constexpr u64 pattern(u64 a, u64 b, u64 index) { return a * index + b; }

// What output buffers hold before a kernel runs: no result is equal to it (as a float it is no number).
constexpr u32 kPoison = 0xFFF7A5A5U;

// What a checking kernel reports, in a buffer of u64.
enum ResultIndex : u32 {
  kResultVerified = 0,  // elements that were looked at and could be right
  kResultBad = 1,       // elements that cannot be right (not a number, poison, no integer) or differ
  kResultFirst = 2,     // the first of these; all ones without any
  kResultSum = 3,       // sum of what was read
  kResultWeighted = 4,  // the same, weighted by the place
  kResultBits = 5,      // which bits differed
  kResultMaximum = 6,
  kResultMinimum = 7,
  kResultWords = 8
};

// How a type of matrix product is held. The order is part of the worker's protocol.
enum FormatIndex : u32 { kFp64, kFp32, kTf32, kBf16, kFp16, kInt8, kFormats };
struct FormatFacts {
  const char* name;
  u32 per_word;  // elements in a word of `word_bytes`
  u32 word_bytes;
  u32 tile;          // rows and columns of C that a block computes; n is a multiple
  u32 spread;        // of exponents
  u32 range_cap;     // largest operand
  u32 sum_bits;      // every partial sum stays within 2^sum_bits
  u32 result_bytes;  // of an element of C
};
constexpr FormatFacts kFormatFacts[kFormats] = {
    {"fp64", 1, 8, 64, 64, (1U << 20U) - 1, 53, 8},
    {"fp32", 1, 4, 128, 16, 1023, 24, 4},
    {"tf32", 1, 4, 128, 16, 127, 24, 4},
    {"bf16", 2, 4, 128, 16, 127, 24, 4},
    {"fp16", 2, 4, 128, 4, 127, 24, 4},
    {"int8", 4, 4, 128, 0, 127, 31, 4},
};
