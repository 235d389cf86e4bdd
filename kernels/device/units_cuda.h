// SPDX-License-Identifier: GPL-2.0-or-later
// NVIDIA's matrix instructions, from compute capability 7.5 on. Included by units.h.
#pragma once

#if __CUDA_ARCH__ >= 800
#define GH_MMA_FLOAT(instruction)                                                                       \
  asm volatile("mma.sync.aligned." instruction " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
               : "+f"(d->r[0]), "+f"(d->r[1]), "+f"(d->r[2]), "+f"(d->r[3])                             \
               : "r"(a.r[0]), "r"(a.r[1]), "r"(a.r[2]), "r"(a.r[3]), "r"(b.r[0]), "r"(b.r[1]))

struct Fp16Mma : WordMma<Fp16> {
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) { GH_MMA_FLOAT("m16n8k16.row.col.f32.f16.f16.f32"); }
};
struct Bf16Mma : WordMma<Bf16> {
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) { GH_MMA_FLOAT("m16n8k16.row.col.f32.bf16.bf16.f32"); }
};
struct Tf32Mma : WordMma<Tf32> {
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) { GH_MMA_FLOAT("m16n8k8.row.col.f32.tf32.tf32.f32"); }
};
struct Int8Mma : WordMma<Int8> {
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) {
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(d->r[0]), "+r"(d->r[1]), "+r"(d->r[2]), "+r"(d->r[3])
                 : "r"(a.r[0]), "r"(a.r[1]), "r"(a.r[2]), "r"(a.r[3]), "r"(b.r[0]), "r"(b.r[1]));
  }
};
struct Fp64Mma : DoubleMma {
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(d->r[0]), "+d"(d->r[1])
                 : "d"(a.r[0]), "d"(b.r[0]));
  }
};
// Only the chips for data centres have fp64 matrix units; on the others the instruction exists and is slow, like all of
// their fp64.
template <>
struct UnitOf<Fp64> {
  using Unit = Fp64Mma;
};
template <>
struct UnitOf<Bf16> {
  using Unit = Bf16Mma;
};
template <>
struct UnitOf<Tf32> {
  using Unit = Tf32Mma;
};
#else
// Turing's instructions are smaller: two or four of them make one step.
struct Fp16Mma : WordMma<Fp16> {
  GH_FUNCTION static void half_step(u32 a0, u32 a1, u32 b, D* d) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+f"(d->r[0]), "+f"(d->r[1]), "+f"(d->r[2]), "+f"(d->r[3])
                 : "r"(a0), "r"(a1), "r"(b));
  }
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) {
    half_step(a.r[0], a.r[1], b.r[0], d);
    half_step(a.r[2], a.r[3], b.r[1], d);
  }
};
struct Int8Mma : WordMma<Int8> {
  GH_FUNCTION static void quarter_step(u32 a, u32 b, i32* d) {
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(a), "r"(b));
  }
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) {
    quarter_step(a.r[0], b.r[0], d->r);
    quarter_step(a.r[2], b.r[1], d->r);
    quarter_step(a.r[1], b.r[0], d->r + 2);
    quarter_step(a.r[3], b.r[1], d->r + 2);
  }
};
#endif

template <>
struct UnitOf<Fp16> {
  using Unit = Fp16Mma;
};
template <>
struct UnitOf<Int8> {
  using Unit = Int8Mma;
};
