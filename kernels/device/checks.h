// SPDX-License-Identifier: GPL-2.0-or-later
// What is done beside the products: operands are made, results are summed up on the device. A sum of elements, each
// times an odd weight, modulo 2^64, is what the host knows in closed form.
#pragma once

#include "kernels/device/formats.h"

// Operands of a block's word positions: `count` words of rows of n elements each.
template <class F>
GH_FUNCTION void make_operands(typename F::Word* words, u64 count, u32 n, u64 seed, u32 stream, u32 range) {
  constexpr u32 kPerWord = kFormatFacts[F::kIndex].per_word;
  const u32 words_of_row = n / kPerWord;
  const u64 exponents = stream == kStreamA ? kStreamRowExponent : kStreamColumnExponent;
  GH_EACH_THREAD(thread) {
    const u64 index = u64(gh_block_x()) * kBlockThreads + thread;
    if (index < count) {
      const u32 row = u32(index / words_of_row);
      i32 values[kPerWord];
      for (u32 i = 0; i < kPerWord; ++i)
        values[i] = operand(seed, stream, row, u32(index % words_of_row) * kPerWord + i, range);
      words[index] = F::pack(values, exponent(seed, exponents, row, kFormatFacts[F::kIndex].spread));
    }
  }
}

// Adds up what the threads of a block hold. `scratch` is shared; the sum is added to *out by one thread.
struct BlockSum {
  u64 part[kBlockThreads];
};
GH_FUNCTION void add_up(BlockSum* sum, u64* out) {
  for (u32 half = kBlockThreads / 2; half > 0; half /= 2) {
    GH_BARRIER();
    GH_EACH_THREAD(thread) {
      if (thread < half) sum->part[thread] += sum->part[thread + half];
    }
  }
  GH_EACH_THREAD(thread) {
    if (thread == 0) gh_add(out, sum->part[0]);
  }
  GH_BARRIER();
}

// The weighted sum of one row of C (block x), and how many of its elements could be right at all.
template <class F>
GH_FUNCTION void sum_row(const typename F::Sum* c, u32 n, u64 seed, u64* rows, u64* result) {
  GH_SHARED BlockSum sums;
  GH_SHARED BlockSum verified;
  const u32 row = gh_block_x();
  constexpr u32 kSpread = kFormatFacts[F::kIndex].spread;
  const i32 power = exponent(seed, kStreamRowExponent, row, kSpread);
  GH_EACH_THREAD(thread) {
    u64 sum = 0;
    u64 good = 0;
    for (u32 column = thread; column < n; column += kBlockThreads) {
      const u64 index = u64(row) * n + column;
      i64 value = 0;
      if (integer_of(c[index], power + exponent(seed, kStreamColumnExponent, column, kSpread), &value)) {
        sum += u64(value) * weight(seed, kStreamColumnWeight, column);
        ++good;
      } else {
        gh_add(result + kResultBad, 1);
        gh_min(result + kResultFirst, index);
      }
    }
    sums.part[thread] = sum;
    verified.part[thread] = good;
  }
  add_up(&sums, rows + row);
  add_up(&verified, result + kResultVerified);
}

constexpr u32 kRowsOfColumnBlock = 64;

// The weighted sums of 256 columns over 64 rows of C (block x, block y); bad elements were counted by sum_row().
template <class F>
GH_FUNCTION void sum_columns(const typename F::Sum* c, u32 n, u64 seed, u64* columns) {
  constexpr u32 kSpread = kFormatFacts[F::kIndex].spread;
  const u32 first = gh_block_y() * kRowsOfColumnBlock;
  GH_EACH_THREAD(thread) {
    const u32 column = gh_block_x() * kBlockThreads + thread;
    if (column < n) {
      const i32 power = exponent(seed, kStreamColumnExponent, column, kSpread);
      u64 sum = 0;
      for (u32 row = first; row < first + kRowsOfColumnBlock && row < n; ++row) {
        i64 value = 0;
        if (integer_of(c[u64(row) * n + column], power + exponent(seed, kStreamRowExponent, row, kSpread), &value))
          sum += u64(value) * weight(seed, kStreamRowWeight, row);
      }
      gh_add(columns + column, sum);
    }
  }
}
