// SPDX-License-Identifier: GPL-2.0-or-later
// Every kernel, once: compiled by nvcc, hipcc, clang for PTX and AMD code objects, and g++ for the host.
#include "kernels/device/memory.h"
#include "kernels/device/product.h"

#define GH_PRODUCT_KERNELS(suffix, F)                                                                 \
  GH_KERNEL gh_operands_##suffix(F::Word* words, u64 count, u32 n, u64 seed, u32 stream, u32 range) { \
    make_operands<F>(words, count, n, seed, stream, range);                                           \
  }                                                                                                   \
  GH_KERNEL gh_product_##suffix(const Chunk* a, const Chunk* b, F::Sum* c, u32 n, u32* tiles) {       \
    product<F, typename UnitOf<F>::Unit>(a, b, c, n, tiles);                                          \
  }                                                                                                   \
  GH_KERNEL gh_rows_##suffix(const F::Sum* c, u32 n, u64 seed, u64* rows, u64* result) {              \
    sum_row<F>(c, n, seed, rows, result);                                                             \
  }                                                                                                   \
  GH_KERNEL gh_columns_##suffix(const F::Sum* c, u32 n, u64 seed, u64* columns) { sum_columns<F>(c, n, seed, columns); }

GH_PRODUCT_KERNELS(fp64, Fp64)
GH_PRODUCT_KERNELS(fp32, Fp32)
GH_PRODUCT_KERNELS(tf32, Tf32)
GH_PRODUCT_KERNELS(bf16, Bf16)
GH_PRODUCT_KERNELS(fp16, Fp16)
GH_PRODUCT_KERNELS(int8, Int8)

// Sets `count` 32-bit words.
GH_KERNEL gh_set(u32* words, u64 count, u32 value) {
  const u64 first = u64(gh_block_x()) * kWordsOfBlock;
  GH_EACH_THREAD(thread) {
    for (u64 index = first + thread; index < first + kWordsOfBlock && index < count; index += kBlockThreads)
      words[index] = value;
  }
}
// Planted faults: flips bits of one word between a result and its check.
GH_KERNEL gh_flip(u32* words, u64 index, u32 bits) {
  GH_EACH_THREAD(thread) {
    if (thread == 0) words[index] ^= bits;
  }
}
GH_KERNEL gh_scatter(u64* to, u32 bits, u64 seed) { scatter(to, bits, seed); }
GH_KERNEL gh_gather(u64* to, const u64* from, u32 bits, u64 seed) { gather(to, from, bits, seed); }
GH_KERNEL gh_check_data(const u64* words, u64 count, u64 seed, u64* result) { check_data(words, count, seed, result); }
GH_KERNEL gh_bins(u64* bins, u32* narrow, u64 count, u32 bits, u64 seed, u64* result) {
  add_to_bins(bins, narrow, count, bits, seed, result);
}
GH_KERNEL gh_write_pattern(u64* words, u64 count, u64 base, u64 a, u64 b, u64 flip) {
  write_pattern(words, count, base, a, b, flip);
}
GH_KERNEL gh_check_pattern(const u64* words, u64 count, u64 base, u64 a, u64 b, u64 flip, u64* result) {
  check_pattern(words, count, base, a, b, flip, result);
}
