// SPDX-License-Identifier: GPL-2.0-or-later
// Work on memory: permutations, atomic additions and patterns over large buffers.
#pragma once

#include "kernels/device/checks.h"

// Words that one block of a pattern kernel goes through.
constexpr u64 kWordsOfBlock = 64 * kBlockThreads;

// Each word goes to its place in a random permutation, mixed with where it came from.
GH_FUNCTION void scatter(u64* to, u32 bits, u64 seed) {
  GH_EACH_THREAD(thread) {
    const u64 index = u64(gh_block_x()) * kBlockThreads + thread;
    if (index < (1ULL << bits)) to[permuted(seed, index, bits)] = draw(seed, kStreamData, index);
  }
}

// And back: every word of `to` must be at its first place again.
GH_FUNCTION void gather(u64* to, const u64* from, u32 bits, u64 seed) {
  GH_EACH_THREAD(thread) {
    const u64 index = u64(gh_block_x()) * kBlockThreads + thread;
    if (index < (1ULL << bits)) to[index] = from[permuted(seed, index, bits)];
  }
}

// Counts and sums words that are to be draw(seed, kStreamData, index).
GH_FUNCTION void check_data(const u64* words, u64 count, u64 seed, u64* result) {
  GH_SHARED BlockSum sums;
  GH_SHARED BlockSum verified;
  GH_EACH_THREAD(thread) {
    const u64 index = u64(gh_block_x()) * kBlockThreads + thread;
    sums.part[thread] = 0;
    verified.part[thread] = 0;
    if (index < count) {
      const u64 word = words[index];
      const u64 expected = draw(seed, kStreamData, index);
      sums.part[thread] = word * weight(seed, kStreamWeight, index);
      verified.part[thread] = word == expected ? 1 : 0;
      if (word != expected) {
        gh_add(result + kResultBad, 1);
        gh_min(result + kResultFirst, index);
        gh_or(result + kResultBits, word ^ expected);
      }
    }
  }
  add_up(&sums, result + kResultWeighted);
  add_up(&verified, result + kResultVerified);
}

// Adds a value for each index to one of 2^bits bins, in 64 and in 32 bits, and keeps the extremes.
GH_FUNCTION void add_to_bins(u64* bins, u32* narrow, u64 count, u32 bits, u64 seed, u64* result) {
  GH_EACH_THREAD(thread) {
    const u64 index = u64(gh_block_x()) * kBlockThreads + thread;
    if (index < count) {
      const u64 value = draw(seed, kStreamBins, index);
      const u64 bin = value & ((1ULL << bits) - 1);
      gh_add(bins + bin, value);
      gh_add(narrow + bin, u32(value >> 32U));
      gh_max(result + kResultMaximum, value);
      gh_min(result + kResultMinimum, value);
      gh_add(result + kResultVerified, 1);
    }
  }
}

// The words from `base` on become their pattern; `flip` is zero or all ones.
GH_FUNCTION void write_pattern(u64* words, u64 count, u64 base, u64 a, u64 b, u64 flip) {
  const u64 first = u64(gh_block_x()) * kWordsOfBlock;
  GH_EACH_THREAD(thread) {
    for (u64 index = first + thread; index < first + kWordsOfBlock && index < count; index += kBlockThreads)
      words[index] = pattern(a, b, base + index) ^ flip;
  }
}

// Looks at every word, and sums up what was read.
GH_FUNCTION void check_pattern(const u64* words, u64 count, u64 base, u64 a, u64 b, u64 flip, u64* result) {
  GH_SHARED BlockSum sums;
  GH_SHARED BlockSum weighted;
  GH_SHARED BlockSum verified;
  const u64 first = u64(gh_block_x()) * kWordsOfBlock;
  GH_EACH_THREAD(thread) {
    u64 sum = 0;
    u64 by_place = 0;
    u64 good = 0;
    for (u64 index = first + thread; index < first + kWordsOfBlock && index < count; index += kBlockThreads) {
      const u64 word = words[index];
      const u64 wrong = word ^ pattern(a, b, base + index) ^ flip;
      sum += word;
      by_place += word * (base + index);
      good += wrong == 0 ? 1 : 0;
      if (wrong != 0) {
        gh_add(result + kResultBad, 1);
        gh_min(result + kResultFirst, base + index);
        gh_or(result + kResultBits, wrong);
      }
    }
    sums.part[thread] = sum;
    weighted.part[thread] = by_place;
    verified.part[thread] = good;
  }
  add_up(&sums, result + kResultSum);
  add_up(&weighted, result + kResultWeighted);
  add_up(&verified, result + kResultVerified);
}
