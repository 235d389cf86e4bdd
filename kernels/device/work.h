// SPDX-License-Identifier: GPL-2.0-or-later
// What a thread keeps of a tile of the product and what it does with a stage of operands, by unit.
#pragma once

#include "kernels/device/stage.h"

template <class F, class Unit, bool kIsMatrix = Unit::kIsMatrix>
struct Work;

// On the plain units a thread owns kSide × kSide elements, 16 apart.
template <class F, class Unit>
struct Work<F, Unit, false> {
  static constexpr u32 kSide = Stage<F>::kTile / 16;
  struct Own {
    typename F::Sum sum[kSide][kSide];
  };
  GH_FUNCTION static void clear(Own* own) {
    GH_UNROLL
    for (u32 i = 0; i < kSide * kSide; ++i) own->sum[i / kSide][i % kSide] = 0;
  }
  GH_FUNCTION static void multiply_chunk(const typename Stage<F>::Memory& memory, u32 chunk, u32 thread, Own* own) {
    Chunk a[kSide];
    GH_UNROLL
    for (u32 i = 0; i < kSide; ++i) a[i] = memory.rows[thread / 16 + 16 * i][chunk];
    GH_UNROLL
    for (u32 j = 0; j < kSide; ++j) {
      const Chunk b = memory.rows[Stage<F>::kTile + thread % 16 + 16 * j][chunk];
      GH_UNROLL
      for (u32 i = 0; i < kSide; ++i) own->sum[i][j] = dot(a[i], b, own->sum[i][j]);
    }
  }
  GH_FUNCTION static typename F::Sum dot(const Chunk& a, const Chunk& b, typename F::Sum sum) {
    typename F::Word left[Stage<F>::kWordsOfChunk];
    typename F::Word right[Stage<F>::kWordsOfChunk];
    __builtin_memcpy(left, &a, sizeof a);
    __builtin_memcpy(right, &b, sizeof b);
    GH_UNROLL
    for (u32 w = 0; w < Stage<F>::kWordsOfChunk; ++w) sum = F::multiply(left[w], right[w], sum);
    return sum;
  }
  GH_FUNCTION static void stage(const typename Stage<F>::Memory& memory, Private<Own>& owned) {
    GH_EACH_THREAD(thread) {
      for (u32 chunk = 0; chunk < kChunksOfRow; ++chunk) multiply_chunk(memory, chunk, thread, &GH_OWN(owned, thread));
    }
  }
  GH_FUNCTION static void store(const Own& own, u32 thread, u32 n, typename F::Sum* c) {
    GH_UNROLL
    for (u32 i = 0; i < kSide; ++i) {
      GH_UNROLL
      for (u32 j = 0; j < kSide; ++j) c[u64(thread / 16 + 16 * i) * n + thread % 16 + 16 * j] = own.sum[i][j];
    }
  }
};

// On the matrix units a warp owns a rectangle of the tile.
template <class F, class Unit>
struct Work<F, Unit, true> {
  static constexpr u32 kTile = Stage<F>::kTile;
  static constexpr u32 kWarps = kBlockThreads / Unit::kLanes;
  static constexpr u32 kHigh = kTile / 2;             // two warps below each other
  static constexpr u32 kWide = kTile / (kWarps / 2);  // the others side by side
  static constexpr u32 kDown = kHigh / Unit::kM;
  static constexpr u32 kAcross = kWide / Unit::kN;
  struct Own {
    typename Unit::D d[kDown][kAcross];
    typename Unit::A a[kDown];
    typename Unit::B b[kAcross];
  };
  GH_FUNCTION static u32 top(u32 thread) { return thread / Unit::kLanes / (kWarps / 2) * kHigh; }
  GH_FUNCTION static u32 left(u32 thread) { return thread / Unit::kLanes % (kWarps / 2) * kWide; }
  GH_FUNCTION static void clear(Own* own) {
    for (auto& row : own->d) {
      for (auto& d : row) {
        for (auto& value : d.r) value = 0;
      }
    }
  }
  GH_FUNCTION static void load(const typename Stage<F>::Memory& memory, u32 word, u32 thread, Own* own) {
    const u32 lane = thread % Unit::kLanes;
    GH_UNROLL
    for (u32 i = 0; i < kDown; ++i)
      own->a[i] = Unit::load_a(words_of<F>(memory, top(thread) + i * Unit::kM) + word, Stage<F>::kStride, lane);
    GH_UNROLL
    for (u32 j = 0; j < kAcross; ++j)
      own->b[j] =
          Unit::load_b(words_of<F>(memory, kTile + left(thread) + j * Unit::kN) + word, Stage<F>::kStride, lane);
  }
#if defined(GH_DEVICE)
  GH_FUNCTION static void multiply(Own& own) {
    GH_UNROLL
    for (u32 i = 0; i < kDown; ++i) {
      GH_UNROLL
      for (u32 j = 0; j < kAcross; ++j) Unit::multiply(own.a[i], own.b[j], &own.d[i][j]);
    }
  }
#else
  // An emulated unit works on all lanes of a warp at once.
  static void multiply(Private<Own>& owned) {
    for (u32 warp = 0; warp < kWarps; ++warp) {
      for (u32 part = 0; part < kDown * kAcross; ++part)
        Unit::multiply(&owned.own[warp * Unit::kLanes], part / kAcross, part % kAcross);
    }
  }
#endif
  GH_FUNCTION static void stage(const typename Stage<F>::Memory& memory, Private<Own>& owned) {
    GH_UNROLL
    for (u32 word = 0; word < Stage<F>::kWords; word += Unit::kStep) {
      GH_EACH_THREAD(thread) { load(memory, word, thread, &GH_OWN(owned, thread)); }
      multiply(owned);
    }
  }
  GH_FUNCTION static void store(const Own& own, u32 thread, u32 n, typename F::Sum* c) {
    const u32 lane = thread % Unit::kLanes;
    GH_UNROLL
    for (u32 i = 0; i < kDown; ++i) {
      GH_UNROLL
      for (u32 j = 0; j < kAcross; ++j) {
        GH_UNROLL
        for (u32 r = 0; r < sizeof own.d[i][j].r / sizeof own.d[i][j].r[0]; ++r) {
          const u64 row = top(thread) + i * Unit::kM + Unit::row(lane, r);
          c[row * n + left(thread) + j * Unit::kN + Unit::column(lane, r)] = own.d[i][j].r[r];
        }
      }
    }
  }
};
