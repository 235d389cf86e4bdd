// SPDX-License-Identifier: GPL-2.0-or-later
// The matrix units' fragments: the product kernel's loads and stores around instructions that are emulated here from
// the definition of their registers in the manuals (PTX ISA, mma.m16n8k*; CDNA ISA, v_mfma_*_16x16x*).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <type_traits>

#include "kernels/device/product.h"
#include "tests/kernels/host_product.h"

namespace gpuharden::test {
namespace {

// D += A·B over whole matrices, words of A by rows and of B by columns.
template <class F, class Unit>
struct Matrices {
  typename F::Word a[Unit::kM][Unit::kStep] = {};
  typename F::Word b[Unit::kN][Unit::kStep] = {};
  typename F::Sum product(u32 row, u32 column, typename F::Sum sum) const {
    for (u32 k = 0; k < Unit::kStep; ++k) sum = F::multiply(a[row][k], b[column][k], sum);
    return sum;
  }
};

// "group" and "place" are the manual's groupID and threadID_in_group.
template <class F>
struct EmulatedWordMma : WordMma<F> {
  template <class Own>
  static void multiply(Own* lanes, u32 i, u32 j) {
    Matrices<F, WordMma<F>> m;
    for (u32 lane = 0; lane < 32; ++lane) {
      const u32 group = lane / 4;
      const u32 place = lane % 4;
      const auto& a = lanes[lane].a[i].r;
      m.a[group][place] = a[0];
      m.a[group + 8][place] = a[1];
      m.a[group][place + 4] = a[2];
      m.a[group + 8][place + 4] = a[3];
      m.b[group][place] = lanes[lane].b[j].r[0];
      m.b[group][place + 4] = lanes[lane].b[j].r[1];
    }
    for (u32 lane = 0; lane < 32; ++lane) {
      const u32 group = lane / 4;
      const u32 place = lane % 4;
      auto& d = lanes[lane].d[i][j].r;
      d[0] = m.product(group, 2 * place, d[0]);
      d[1] = m.product(group, 2 * place + 1, d[1]);
      d[2] = m.product(group + 8, 2 * place, d[2]);
      d[3] = m.product(group + 8, 2 * place + 1, d[3]);
    }
  }
};

struct EmulatedDoubleMma : DoubleMma {
  template <class Own>
  static void multiply(Own* lanes, u32 i, u32 j) {
    Matrices<Fp64, DoubleMma> m;
    for (u32 lane = 0; lane < 32; ++lane) {
      m.a[lane / 4][lane % 4] = lanes[lane].a[i].r[0];
      m.b[lane / 4][lane % 4] = lanes[lane].b[j].r[0];
    }
    for (u32 lane = 0; lane < 32; ++lane) {
      auto& d = lanes[lane].d[i][j].r;
      d[0] = m.product(lane / 4, 2 * (lane % 4), d[0]);
      d[1] = m.product(lane / 4, 2 * (lane % 4) + 1, d[1]);
    }
  }
};

template <class F, u32 kWords>
struct EmulatedMfma : Mfma<F, kWords> {
  template <class Own>
  static void multiply(Own* lanes, u32 i, u32 j) {
    Matrices<F, Mfma<F, kWords>> m;
    for (u32 lane = 0; lane < 64; ++lane) {
      for (u32 w = 0; w < kWords; ++w) {
        m.a[lane % 16][lane / 16 * kWords + w] = lanes[lane].a[i].r[w];
        m.b[lane % 16][lane / 16 * kWords + w] = lanes[lane].b[j].r[w];
      }
    }
    for (u32 lane = 0; lane < 64; ++lane) {
      for (u32 r = 0; r < 4; ++r) {
        const u32 row = std::is_same_v<F, Fp64> ? lane / 16 + 4 * r : lane / 16 * 4 + r;
        auto& d = lanes[lane].d[i][j].r[r];
        d = m.product(row, lane % 16, d);
      }
    }
  }
};

template <class F, class Unit>
void expect_right_product() {
  const kernels::ProductKey key{F::kIndex, kFormatFacts[F::kIndex].tile, 7};
  HostProduct result(key);
  result.make_operands();
  host_block = {};
  product<F, Unit>(static_cast<const Chunk*>(result.a()), static_cast<const Chunk*>(result.b()),
                   static_cast<typename F::Sum*>(result.c()), key.n, result.tile_words());
  result.check();
  const auto sums = kernels::expected_sums(key);
  EXPECT_EQ(result.rows(), sums.rows);
  EXPECT_EQ(result.columns(), sums.columns);
  EXPECT_EQ(result.tiles().front(), kTileDone | kTileByMatrixUnit);
}

TEST(MatrixUnits, OfNvidiaGiveTheRightProduct) {
  expect_right_product<Fp16, EmulatedWordMma<Fp16>>();
  expect_right_product<Bf16, EmulatedWordMma<Bf16>>();
  expect_right_product<Tf32, EmulatedWordMma<Tf32>>();
  expect_right_product<Int8, EmulatedWordMma<Int8>>();
  expect_right_product<Fp64, EmulatedDoubleMma>();
}

TEST(MatrixUnits, OfAmdGiveTheRightProduct) {
  expect_right_product<Fp64, EmulatedMfma<Fp64, 1>>();
  expect_right_product<Fp32, EmulatedMfma<Fp32, 1>>();
  expect_right_product<Fp16, EmulatedMfma<Fp16, 2>>();
  expect_right_product<Bf16, EmulatedMfma<Bf16, 1>>();
  expect_right_product<Bf16, EmulatedMfma<Bf16, 2>>();
  expect_right_product<Int8, EmulatedMfma<Int8, 1>>();
  expect_right_product<Int8, EmulatedMfma<Int8, 2>>();
  expect_right_product<Tf32, EmulatedMfma<Tf32, 2>>();
}

}  // namespace
}  // namespace gpuharden::test
