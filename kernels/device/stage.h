// SPDX-License-Identifier: GPL-2.0-or-later
// How operands of a matrix product reach shared memory: 64 bytes of each row at a time, by registers.
#pragma once

#include "kernels/device/units.h"

// What one instruction of a thread moves.
#if defined(GH_BARE)
typedef u32 Chunk __attribute__((ext_vector_type(4)));
#else
struct alignas(16) Chunk {
  u32 words[4];
};
#endif
constexpr u32 kChunksOfRow = 4;     // 16 bytes each, of a stage
constexpr u32 kChunksOfStride = 5;  // with 16 bytes between rows no two lanes meet in a bank

template <class F>
struct Stage {
  static constexpr u32 kTile = kFormatFacts[F::kIndex].tile;
  static constexpr u32 kWordsOfChunk = 16 / sizeof(typename F::Word);
  static constexpr u32 kWords = kChunksOfRow * kWordsOfChunk;
  static constexpr u32 kStride = kChunksOfStride * kWordsOfChunk;
  static constexpr u32 kChunks = 2 * kTile * kChunksOfRow;
  static constexpr u32 kOfThread = kChunks / kBlockThreads;
  // Rows of A, then columns of B.
  struct Memory {
    Chunk rows[2 * kTile][kChunksOfStride];
  };
  struct InFlight {
    Chunk chunk[kOfThread];
  };
};

template <class F>
GH_FUNCTION void fetch(const Chunk* a, const Chunk* b, u32 row_chunks, u32 stage, u32 thread,
                       typename Stage<F>::InFlight* out) {
  GH_UNROLL
  for (u32 i = 0; i < Stage<F>::kOfThread; ++i) {
    const u32 index = thread + i * kBlockThreads;
    const u32 row = index / kChunksOfRow;
    const Chunk* from = row < Stage<F>::kTile ? a + u64(row) * row_chunks : b + u64(row - Stage<F>::kTile) * row_chunks;
    out->chunk[i] = from[stage * kChunksOfRow + index % kChunksOfRow];
  }
}

template <class F>
GH_FUNCTION void put(const typename Stage<F>::InFlight& in, u32 thread, typename Stage<F>::Memory* memory) {
  GH_UNROLL
  for (u32 i = 0; i < Stage<F>::kOfThread; ++i) {
    const u32 index = thread + i * kBlockThreads;
    memory->rows[index / kChunksOfRow][index % kChunksOfRow] = in.chunk[i];
  }
}

template <class F>
GH_FUNCTION const typename F::Word* words_of(const typename Stage<F>::Memory& memory, u32 row) {
  return reinterpret_cast<const typename F::Word*>(memory.rows[row]);
}
