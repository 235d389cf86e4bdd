// SPDX-License-Identifier: GPL-2.0-or-later
// AMD's matrix instructions of CDNA 1 to 4. Included by units.h.
#pragma once

typedef float Float4 __attribute__((ext_vector_type(4)));
typedef float Float2 __attribute__((ext_vector_type(2)));
typedef double Double4 __attribute__((ext_vector_type(4)));
typedef int Int4 __attribute__((ext_vector_type(4)));
typedef _Float16 Half4 __attribute__((ext_vector_type(4)));
typedef short Short4 __attribute__((ext_vector_type(4)));
typedef short Short2 __attribute__((ext_vector_type(2)));

template <typename To, typename From>
GH_FUNCTION To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits need the same room");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

#define GH_MFMA(builtin, Operand, Result, a, b, d) \
  *(d) = same_bits<D>(builtin(same_bits<Operand>(a), same_bits<Operand>(b), same_bits<Result>(*(d)), 0, 0, 0))

struct Fp32Mfma : Mfma<Fp32, 1> {
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) {
    GH_MFMA(__builtin_amdgcn_mfma_f32_16x16x4f32, float, Float4, a, b, d);
  }
};
struct Fp16Mfma : Mfma<Fp16, 2> {
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) {
    GH_MFMA(__builtin_amdgcn_mfma_f32_16x16x16f16, Half4, Float4, a, b, d);
  }
};
template <>
struct UnitOf<Fp32> {
  using Unit = Fp32Mfma;
};
template <>
struct UnitOf<Fp16> {
  using Unit = Fp16Mfma;
};

#if defined(__gfx908__)
struct Bf16Mfma : Mfma<Bf16, 1> {
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) {
    GH_MFMA(__builtin_amdgcn_mfma_f32_16x16x8bf16, Short2, Float4, a, b, d);
  }
};
#else
struct Bf16Mfma : Mfma<Bf16, 2> {
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) {
    GH_MFMA(__builtin_amdgcn_mfma_f32_16x16x16bf16_1k, Short4, Float4, a, b, d);
  }
};
struct Fp64Mfma : Mfma<Fp64, 1> {
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) {
    GH_MFMA(__builtin_amdgcn_mfma_f64_16x16x4f64, double, Double4, a, b, d);
  }
};
template <>
struct UnitOf<Fp64> {
  using Unit = Fp64Mfma;
};
#endif
template <>
struct UnitOf<Bf16> {
  using Unit = Bf16Mfma;
};

#if defined(__gfx942__) || defined(__gfx950__)
struct Int8Mfma : Mfma<Int8, 2> {
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) {
    GH_MFMA(__builtin_amdgcn_mfma_i32_16x16x32_i8, long, Int4, a, b, d);
  }
};
#else
struct Int8Mfma : Mfma<Int8, 1> {
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) {
    GH_MFMA(__builtin_amdgcn_mfma_i32_16x16x16i8, int, Int4, a, b, d);
  }
};
#endif
template <>
struct UnitOf<Int8> {
  using Unit = Int8Mfma;
};

#if defined(__gfx942__)
struct Tf32Mfma : Mfma<Tf32, 2> {
  GH_FUNCTION static void multiply(const A& a, const B& b, D* d) {
    GH_MFMA(__builtin_amdgcn_mfma_f32_16x16x8_xf32, Float2, Float4, a, b, d);
  }
};
template <>
struct UnitOf<Tf32> {
  using Unit = Tf32Mfma;
};
#endif
