// SPDX-License-Identifier: GPL-2.0-or-later
// C = A·B for one type: A by rows, B by columns, so that both are read along k. A block computes one square tile of C;
// 64 bytes of each row pass through shared memory at a time, in two buffers.
#pragma once

#include "kernels/device/work.h"

// A tile was computed, and by what: marks in the words that the product kernel leaves for each tile.
constexpr u32 kTileDone = 0x80000000U;
constexpr u32 kTileByMatrixUnit = 0x40000000U;
constexpr u32 kTileUnitMask = 0x3FFFFFFFU;

// One tile of C = A·B, n × n, by the block (x: column of tiles, y: row of tiles).
template <class F, class Unit>
GH_FUNCTION void product(const Chunk* a, const Chunk* b, typename F::Sum* c, u32 n, u32* tiles) {
  using Own = typename Work<F, Unit>::Own;
  GH_SHARED typename Stage<F>::Memory memory[2];
  Private<typename Stage<F>::InFlight> flight;
  Private<Own> owned;
  constexpr u32 kTile = Stage<F>::kTile;
  const u32 row_chunks = n / kFormatFacts[F::kIndex].per_word / Stage<F>::kWordsOfChunk;
  const u32 stages = row_chunks / kChunksOfRow;
  const Chunk* rows = a + u64(gh_block_y()) * kTile * row_chunks;
  const Chunk* columns = b + u64(gh_block_x()) * kTile * row_chunks;
  GH_EACH_THREAD(thread) {
    Work<F, Unit>::clear(&GH_OWN(owned, thread));
    fetch<F>(rows, columns, row_chunks, 0, thread, &GH_OWN(flight, thread));
    put<F>(GH_OWN(flight, thread), thread, &memory[0]);
  }
  GH_BARRIER();
  for (u32 stage = 0; stage < stages; ++stage) {
    const bool more = stage + 1 < stages;
    GH_EACH_THREAD(thread) {
      if (more) fetch<F>(rows, columns, row_chunks, stage + 1, thread, &GH_OWN(flight, thread));
    }
    Work<F, Unit>::stage(memory[stage & 1U], owned);
    GH_EACH_THREAD(thread) {
      if (more) put<F>(GH_OWN(flight, thread), thread, &memory[(stage + 1) & 1U]);
    }
    GH_BARRIER();
  }
  GH_EACH_THREAD(thread) {
    Work<F, Unit>::store(GH_OWN(owned, thread), thread, n, c + u64(gh_block_y()) * kTile * n + gh_block_x() * kTile);
    if (thread == 0)
      tiles[gh_block_y() * (n / kTile) + gh_block_x()] =
          kTileDone | (Unit::kIsMatrix ? kTileByMatrixUnit : 0U) | (gh_unit() & kTileUnitMask);
  }
}
