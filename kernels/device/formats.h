// SPDX-License-Identifier: GPL-2.0-or-later
// How each type packs operands into words, unpacks them for the plain units and scales its results.
#pragma once

#include "kernels/device/numbers.h"

GH_FUNCTION u32 bits_of(float value) {
  u32 bits = 0;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
GH_FUNCTION float float_of(u32 bits) {
  float value = 0;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
GH_FUNCTION double double_of(u64 bits) {
  double value = 0;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
// 2 to the power, within the normal range.
GH_FUNCTION float float_power(i32 power) { return float_of(u32(power + 127) << 23U); }
GH_FUNCTION double double_power(i32 power) { return double_of(u64(i64(power) + 1023) << 52U); }

struct Fp64 {
  static constexpr u32 kIndex = kFp64;
  using Word = double;
  using Sum = double;
  GH_FUNCTION static Word pack(const i32* values, i32 power) { return double(values[0]) * double_power(power); }
  GH_FUNCTION static Sum multiply(Word a, Word b, Sum sum) { return sum + a * b; }
};

struct Fp32 {
  static constexpr u32 kIndex = kFp32;
  using Word = u32;
  using Sum = float;
  GH_FUNCTION static Word pack(const i32* values, i32 power) { return bits_of(float(values[0]) * float_power(power)); }
  GH_FUNCTION static Sum multiply(Word a, Word b, Sum sum) { return sum + float_of(a) * float_of(b); }
};

// The same words as fp32: the operands have no more bits than tf32 keeps.
struct Tf32 : Fp32 {
  static constexpr u32 kIndex = kTf32;
};

struct Bf16 {
  static constexpr u32 kIndex = kBf16;
  using Word = u32;
  using Sum = float;
  GH_FUNCTION static Word pack(const i32* values, i32 power) {
    const float scale = float_power(power);
    return (bits_of(float(values[0]) * scale) >> 16U) | (bits_of(float(values[1]) * scale) & 0xFFFF0000U);
  }
  GH_FUNCTION static Sum multiply(Word a, Word b, Sum sum) {
    sum += float_of(a << 16U) * float_of(b << 16U);
    return sum + float_of(a & 0xFFFF0000U) * float_of(b & 0xFFFF0000U);
  }
};

// Operands are zero or normal numbers: neither subnormals nor infinities need to be told apart.
struct Fp16 {
  static constexpr u32 kIndex = kFp16;
  using Word = u32;
  using Sum = float;
  GH_FUNCTION static u32 half_of(float value) {
    const u32 bits = bits_of(value);
    const u32 magnitude = bits & 0x7FFFFFFFU;
    if (magnitude == 0) return 0;
    return ((bits >> 16U) & 0x8000U) | ((magnitude - (112U << 23U)) >> 13U);
  }
  GH_FUNCTION static float value_of(u32 half) {
    const u32 magnitude = half & 0x7FFFU;
    const u32 bits = ((half & 0x8000U) << 16U) | ((magnitude << 13U) + (112U << 23U));
    return magnitude == 0 ? 0.0F : float_of(bits);
  }
  GH_FUNCTION static Word pack(const i32* values, i32 power) {
    const float scale = float_power(power);
    return half_of(float(values[0]) * scale) | (half_of(float(values[1]) * scale) << 16U);
  }
  GH_FUNCTION static Sum multiply(Word a, Word b, Sum sum) {
    sum += value_of(a & 0xFFFFU) * value_of(b & 0xFFFFU);
    return sum + value_of(a >> 16U) * value_of(b >> 16U);
  }
};

struct Int8 {
  static constexpr u32 kIndex = kInt8;
  using Word = u32;
  using Sum = i32;
  GH_FUNCTION static Word pack(const i32* values, i32) {
    u32 word = 0;
    for (u32 i = 0; i < 4; ++i) word |= (u32(values[i]) & 0xFFU) << (8 * i);
    return word;
  }
  GH_FUNCTION static i32 part(Word word, u32 i) { return i32(word << (24 - 8 * i)) >> 24; }
  GH_FUNCTION static Sum multiply(Word a, Word b, Sum sum) {
    for (u32 i = 0; i < 4; ++i) sum += part(a, i) * part(b, i);
    return sum;
  }
};

// An element of C as the integer that it stands for; false when it cannot be one.
GH_FUNCTION bool integer_of(double value, i32 power, i64* out) {
  const double scaled = value * double_power(-power);
  if (!(scaled >= -9007199254740992.0 && scaled <= 9007199254740992.0)) return false;
  *out = i64(scaled);
  return double(*out) == scaled;
}
GH_FUNCTION bool integer_of(float value, i32 power, i64* out) {
  const float scaled = value * float_power(-power);
  if (!(scaled >= -16777216.0F && scaled <= 16777216.0F)) return false;
  *out = i64(scaled);
  return float(*out) == scaled;
}
GH_FUNCTION bool integer_of(i32 value, i32, i64* out) {
  *out = value;
  return u32(value) != kPoison;
}
