// SPDX-License-Identifier: GPL-2.0-or-later
// cuBLASLt and hipBLASLt as far as the worker calls them, computing on the processor: "library-flip.so" flips a bit,
// "library-nothing.so" writes nothing, "library-refuses.so" has no product of fp64, "library-create-1.so" does not
// start.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/gpu_driver/manner.h"

namespace gpuharden::test {
namespace {

constexpr int kNotSupported = 15;
constexpr int kInvalid = 7;

// The types of both vendors.
enum Type { kReal32 = 0, kReal64 = 1, kReal16 = 2, kInt8 = 3, kInt32 = 10, kBrain16 = 14 };

struct Numbers {
  int transpose_a, transpose_b, plain, transposed;
};
constexpr Numbers kCuda = {3, 4, 0, 1};
constexpr Numbers kHip = {0, 1, 111, 112};

struct Product {
  int sums, factors, first, second;
};
struct Matrix {
  int type;
  std::uint64_t rows, columns;
  std::int64_t stride;
};

double half(std::uint16_t bits) {
  const int exponent = (bits >> 10U) & 31;
  const int significand = bits & 1023;
  const double size = exponent == 0 ? std::ldexp(significand, -24) : std::ldexp(1024 + significand, exponent - 25);
  return (bits & 0x8000U) != 0 ? -size : size;
}

template <typename T>
T at(const void* memory, std::size_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(memory) + index * sizeof value, sizeof value);
  return value;
}

double element(const void* memory, int type, std::size_t index) {
  if (type == kReal64) return at<double>(memory, index);
  if (type == kReal32) return at<float>(memory, index);
  if (type == kInt8) return at<std::int8_t>(memory, index);
  const auto bits = at<std::uint16_t>(memory, index);
  if (type == kReal16) return half(bits);
  const std::uint32_t wide = std::uint32_t{bits} << 16U;
  return at<float>(&wide, 0);
}

void store(void* memory, int type, std::size_t index, double value) {
  const auto put = [&](auto typed) {
    std::memcpy(static_cast<char*>(memory) + index * sizeof typed, &typed, sizeof typed);
  };
  if (type == kReal64) return put(value);
  if (type == kReal32) return put(static_cast<float>(value));
  put(static_cast<std::int32_t>(value));
}

// Every element by columns, and so along the sum for both.
std::vector<double> elements(const void* memory, const Matrix& matrix) {
  std::vector<double> out(matrix.rows * matrix.columns);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = element(memory, matrix.type, i % matrix.rows + i / matrix.rows * static_cast<std::size_t>(matrix.stride));
  return out;
}

int find(const Product& product, const Matrix& operand, void* out, int* found) {
  misbehave_in("library");
  *found = is_manner("library-refuses") && operand.type == kReal64 ? 0 : 1;
  std::memcpy(out, &product, sizeof product);
  return 0;
}

int multiply(const Numbers& numbers, const Product& product, const void* one, const void* a, const Matrix& of_a,
             const void* b, const Matrix& of_b, void* c, const Matrix& of_c, const void* algorithm) {
  if (std::memcmp(algorithm, &product, sizeof product) != 0) return kInvalid;
  if (product.first != numbers.transposed || product.second != numbers.plain) return kNotSupported;
  if (product.factors != of_c.type || (product.factors == kReal64 ? at<double>(one, 0) : 1) != 1) return kInvalid;
  if (is_manner("library-nothing")) return 0;
  const auto left = elements(a, of_a);
  const auto right = elements(b, of_b);
  for (std::size_t column = 0; column < of_c.columns; ++column) {
    for (std::size_t row = 0; row < of_c.rows; ++row) {
      double sum = 0;
      for (std::size_t k = 0; k < of_a.rows; ++k) sum += left[row * of_a.rows + k] * right[column * of_b.rows + k];
      store(c, of_c.type, row + column * static_cast<std::size_t>(of_c.stride), sum);
    }
  }
  if (is_manner("library-flip")) static_cast<std::uint32_t*>(c)[2] ^= 8U;
  return 0;
}

int create(void** out) {
  *out = nullptr;
  return manner_number("library-create-", 0);
}
int new_product(void** out, int sums, int factors, const Numbers& numbers) {
  *out = new Product{sums, factors, numbers.plain, numbers.plain};
  return 0;
}
int set_product(void* handle, int which, const void* value, const Numbers& numbers) {
  auto& product = *static_cast<Product*>(handle);
  const auto number = at<std::int32_t>(value, 0);
  if (which == numbers.transpose_a) product.first = number;
  if (which == numbers.transpose_b) product.second = number;
  return which == numbers.transpose_a || which == numbers.transpose_b ? 0 : kInvalid;
}
int new_matrix(void** out, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t stride) {
  *out = new Matrix{type, rows, columns, stride};
  return 0;
}
const Matrix& matrix(void* handle) { return *static_cast<Matrix*>(handle); }
const Product& product(void* handle) { return *static_cast<Product*>(handle); }

}  // namespace
}  // namespace gpuharden::test

using namespace gpuharden::test;

#define GH_MATRIX_LIBRARY(prefix, numbers)                                                                             \
  int prefix##Create(void** out) { return create(out); }                                                               \
  int prefix##MatmulDescCreate(void** out, int sums, int factors) { return new_product(out, sums, factors, numbers); } \
  int prefix##MatmulDescSetAttribute(void* handle, int which, const void* value, std::size_t) {                        \
    return set_product(handle, which, value, numbers);                                                                 \
  }                                                                                                                    \
  int prefix##MatrixLayoutCreate(void** out, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t ld) {   \
    return new_matrix(out, type, rows, columns, ld);                                                                   \
  }                                                                                                                    \
  int prefix##MatmulPreferenceCreate(void** out) { return *out = nullptr, 0; }                                         \
  int prefix##MatmulPreferenceSetAttribute(void*, int which, const void*, std::size_t) {                               \
    return which == 1 ? 0 : kInvalid;                                                                                  \
  }                                                                                                                    \
  int prefix##MatmulAlgoGetHeuristic(void*, void* of, void* a, void*, void*, void*, void*, int, void* out, int* n) {   \
    return find(product(of), matrix(a), out, n);                                                                       \
  }                                                                                                                    \
  int prefix##Matmul(void*, void* of, const void* one, const void* a, void* of_a, const void* b, void* of_b,           \
                     const void*, const void*, void*, void* d, void* of_d, const void* algorithm, void*, std::size_t,  \
                     void*) {                                                                                          \
    return multiply(numbers, product(of), one, a, matrix(of_a), b, matrix(of_b), d, matrix(of_d), algorithm);          \
  }

extern "C" {
GH_MATRIX_LIBRARY(cublasLt, kCuda)
GH_MATRIX_LIBRARY(hipblasLt, kHip)
std::size_t cublasLtGetVersion() { return 120804; }
int hipblasLtGetVersion(void*, int* out) { return *out = 100202, 0; }
}
