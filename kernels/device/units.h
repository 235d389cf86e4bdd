// SPDX-License-Identifier: GPL-2.0-or-later
// Which unit of the chip multiplies, and how its fragments lie over the lanes. The layouts are those of the PTX and
// CDNA instruction set manuals; tests/kernels emulates the instructions from their definition and runs the same loads.
#pragma once

#include "kernels/device/formats.h"

// Fragment registers of one lane.
template <typename T, u32 kCount>
struct Lane {
  T r[kCount];
};

// Ordinary multiply-add, every chip.
template <class F>
struct PlainUnit {
  static constexpr bool kIsMatrix = false;
};

// NVIDIA's mma.m16n8 for operands in 32-bit words: all four types have the same layout in words, eight to a step.
// Lane = 4·group + place.
template <class F>
struct WordMma {
  static constexpr bool kIsMatrix = true;
  static constexpr u32 kLanes = 32, kM = 16, kN = 8, kStep = 8;
  using A = Lane<u32, 4>;
  using B = Lane<u32, 2>;
  using D = Lane<typename F::Sum, 4>;
  GH_FUNCTION static A load_a(const u32* tile, u32 stride, u32 lane) {
    const u32* row = tile + (lane >> 2U) * stride + (lane & 3U);
    return {{row[0], row[8 * stride], row[4], row[8 * stride + 4]}};
  }
  GH_FUNCTION static B load_b(const u32* tile, u32 stride, u32 lane) {
    const u32* column = tile + (lane >> 2U) * stride + (lane & 3U);
    return {{column[0], column[4]}};
  }
  GH_FUNCTION static u32 row(u32 lane, u32 r) { return (lane >> 2U) + 8 * (r >> 1U); }
  GH_FUNCTION static u32 column(u32 lane, u32 r) { return 2 * (lane & 3U) + (r & 1U); }
};

// NVIDIA's mma.m8n8k4 for fp64.
struct DoubleMma {
  static constexpr bool kIsMatrix = true;
  static constexpr u32 kLanes = 32, kM = 8, kN = 8, kStep = 4;
  using A = Lane<double, 1>;
  using B = Lane<double, 1>;
  using D = Lane<double, 2>;
  GH_FUNCTION static A load_a(const double* tile, u32 stride, u32 lane) {
    return {{tile[(lane >> 2U) * stride + (lane & 3U)]}};
  }
  GH_FUNCTION static B load_b(const double* tile, u32 stride, u32 lane) { return load_a(tile, stride, lane); }
  GH_FUNCTION static u32 row(u32 lane, u32) { return lane >> 2U; }
  GH_FUNCTION static u32 column(u32 lane, u32 r) { return 2 * (lane & 3U) + r; }
};

// AMD's mfma 16x16 of CDNA: lane = 16·quarter + place; a lane holds kWords consecutive words of its row's step. Results
// of fp64 lie four rows apart, all others lie side by side.
template <class F, u32 kWords>
struct Mfma {
  static constexpr bool kIsMatrix = true;
  static constexpr u32 kLanes = 64, kM = 16, kN = 16, kStep = 4 * kWords;
  using A = Lane<typename F::Word, kWords>;
  using B = A;
  using D = Lane<typename F::Sum, 4>;
  GH_FUNCTION static A load_a(const typename F::Word* tile, u32 stride, u32 lane) {
    A a;
    for (u32 i = 0; i < kWords; ++i) a.r[i] = tile[(lane & 15U) * stride + (lane >> 4U) * kWords + i];
    return a;
  }
  GH_FUNCTION static B load_b(const typename F::Word* tile, u32 stride, u32 lane) { return load_a(tile, stride, lane); }
  GH_FUNCTION static u32 row(u32 lane, u32 r) {
    return F::kIndex == kFp64 ? 4 * r + (lane >> 4U) : 4 * (lane >> 4U) + r;
  }
  GH_FUNCTION static u32 column(u32 lane, u32) { return lane & 15U; }
};

// The unit that this chip multiplies a type with; each front end specializes it where there is a better one.
template <class F>
struct UnitOf {
  using Unit = PlainUnit<F>;
};

#if defined(GH_CUDA) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
#include "kernels/device/units_cuda.h"
#elif defined(GH_HIP) && (defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__))
#include "kernels/device/units_cdna.h"
#endif
