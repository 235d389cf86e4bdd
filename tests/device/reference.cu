// SPDX-License-Identifier: GPL-2.0-or-later
// On a machine with a GPU: our products against cuBLAS, element by element, and against sums in double precision; rates
// of both; memory patterns against a copy on the device. Needs nvcc and cuBLAS.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/device/kernels.cc"
#include "kernels/oracle/oracle.h"

namespace kernels = gpuharden::kernels;

#define CHECK(call)                                                                  \
  do {                                                                               \
    if (const int code = static_cast<int>(call); code != 0) {                        \
      std::printf("FAILED %s: %d (line %d)\n", #call, code, __LINE__);               \
      std::exit(2);                                                                  \
    }                                                                                \
  } while (0)

constexpr u32 kSize = 4096;
constexpr u64 kSeed = 20260101;

struct Format {
  cudaDataType_t operand, result;
  cublasComputeType_t compute;
  void (*operands)(void*, u64, u32, u64, u32, u32, dim3);
  void (*product)(const void*, const void*, void*, u32, u32*, dim3);
};

template <class F>
__global__ void reference_operands(typename F::Word* words, u64 count, u32 n, u64 seed, u32 stream, u32 range) {
  make_operands<F>(words, count, n, seed, stream, range);
}
template <class F>
__global__ void __launch_bounds__(256, 2)
    reference_product(const Chunk* a, const Chunk* b, typename F::Sum* c, u32 n, u32* tiles) {
  product<F, typename UnitOf<F>::Unit>(a, b, c, n, tiles);
}

template <class F>
Format format_of(cudaDataType_t operand, cudaDataType_t result, cublasComputeType_t compute) {
  return {operand, result, compute,
          [](void* words, u64 count, u32 n, u64 seed, u32 stream, u32 range, dim3 grid) {
            reference_operands<F><<<grid, kBlockThreads>>>(static_cast<typename F::Word*>(words), count, n, seed, stream, range);
          },
          [](const void* a, const void* b, void* c, u32 n, u32* tiles, dim3 grid) {
            reference_product<F><<<grid, kBlockThreads>>>(static_cast<const Chunk*>(a), static_cast<const Chunk*>(b),
                                                          static_cast<typename F::Sum*>(c), n, tiles);
          }};
}

class Timer {
 public:
  Timer() {
    CHECK(cudaEventCreate(&from_));
    CHECK(cudaEventCreate(&to_));
  }
  template <typename Work>
  double seconds(int times, Work work) {
    work();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(from_));
    for (int i = 0; i < times; ++i) work();
    CHECK(cudaEventRecord(to_));
    CHECK(cudaEventSynchronize(to_));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, from_, to_));
    return milliseconds / 1e3 / times;
  }

 private:
  cudaEvent_t from_, to_;
};

// C is ours by rows; cuBLAS sees columns: its C' = B'·A is our A·B read by rows.
void by_cublas(cublasHandle_t handle, const Format& format, const void* a, const void* b, void* c) {
  const double one_double = 1, zero_double = 0;
  const float one = 1, zero = 0;
  const int one_int = 1, zero_int = 0;
  const void* alpha = &one;
  const void* beta = &zero;
  if (format.result == CUDA_R_64F) alpha = &one_double, beta = &zero_double;
  if (format.result == CUDA_R_32I) alpha = &one_int, beta = &zero_int;
  CHECK(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, kSize, kSize, kSize, alpha, b, format.operand, kSize, a,
                     format.operand, kSize, beta, c, format.result, kSize, format.compute, CUBLAS_GEMM_DEFAULT));
}

// Against cuBLAS every element, against the closed forms all rows and columns, and some against a sum in double.
bool is_right(u32 index, const std::vector<unsigned char>& ours, const std::vector<unsigned char>& theirs) {
  const kernels::ProductKey key{index, kSize, kSeed};
  const u32 bytes = kernels::result_bytes(index);
  u64 differences = 0;
  for (u64 i = 0; i < u64{kSize} * kSize; ++i) differences += std::memcmp(&ours[i * bytes], &theirs[i * bytes], bytes) != 0;
  u64 wrong = 0;
  for (u32 i = 0; i < 4096; ++i) {
    const u32 row = (i * 2654435761U) % kSize;
    const u32 column = (i * 40503U + 17) % kSize;
    u64 bits = 0;
    std::memcpy(&bits, &ours[(u64{row} * kSize + column) * bytes], bytes);
    wrong += kernels::element_value(key, row, column, bits) != kernels::expected_element(key, row, column);
  }
  if (differences != 0 || wrong != 0) std::printf("  %llu elements differ from cuBLAS, %llu of 4096 are wrong\n", differences, wrong);
  return differences == 0 && wrong == 0;
}

bool check_format(u32 index, const Format& format, cublasHandle_t handle, Timer& timer) {
  const u64 operand_bytes = kernels::operand_bytes(index, kSize);
  const u64 result_bytes = u64{kSize} * kSize * kernels::result_bytes(index);
  const u32 tiles = kSize / kFormatFacts[index].tile;
  const u32 range = kernels::operand_range(index, kSize);
  void *a, *b, *c, *reference;
  u32* marks;
  CHECK(cudaMalloc(&a, operand_bytes));
  CHECK(cudaMalloc(&b, operand_bytes));
  CHECK(cudaMalloc(&c, result_bytes));
  CHECK(cudaMalloc(&reference, result_bytes));
  CHECK(cudaMalloc(&marks, tiles * tiles * 4));
  const u64 words = operand_bytes / kFormatFacts[index].word_bytes;
  const dim3 grid(static_cast<unsigned>((words + kBlockThreads - 1) / kBlockThreads));
  format.operands(a, words, kSize, kSeed, kStreamA, range, grid);
  format.operands(b, words, kSize, kSeed, kStreamB, range, grid);
  const double ours = timer.seconds(10, [&] { format.product(a, b, c, kSize, marks, dim3(tiles, tiles)); });
  CHECK(cudaGetLastError());
  const double theirs = timer.seconds(10, [&] { by_cublas(handle, format, a, b, reference); });
  std::vector<unsigned char> mine(result_bytes), library(result_bytes);
  CHECK(cudaMemcpy(mine.data(), c, result_bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(library.data(), reference, result_bytes, cudaMemcpyDeviceToHost));
  const bool good = is_right(index, mine, library);
  const double work = 2.0 * kSize * kSize * kSize * 1e-9;
  std::printf("%-5s %s  ours %9.0f GFLOP/s  cuBLAS %9.0f GFLOP/s  share %3.0f %%\n", kFormatFacts[index].name,
              good ? "ok   " : "WRONG", work / ours, work / theirs, 100 * theirs / ours);
  for (void* memory : {a, b, c, reference, static_cast<void*>(marks)}) CHECK(cudaFree(memory));
  return good;
}

void measure_memory(Timer& timer) {
  const u64 bytes = u64{2} << 30U;
  const u64 count = bytes / 8;
  u64 *words, *other, *result;
  CHECK(cudaMalloc(&words, bytes));
  CHECK(cudaMalloc(&other, bytes));
  CHECK(cudaMalloc(&result, kResultWords * 8));
  const auto blocks = static_cast<unsigned>((count + kWordsOfBlock - 1) / kWordsOfBlock);
  const double copy = timer.seconds(10, [&] { CHECK(cudaMemcpy(other, words, bytes, cudaMemcpyDeviceToDevice)); });
  const double both = timer.seconds(10, [&] {
    gh_write_pattern<<<blocks, kBlockThreads>>>(words, count, 0, 3, 5, 0);
    gh_check_pattern<<<blocks, kBlockThreads>>>(words, count, 0, 3, 5, 0, result);
  });
  CHECK(cudaGetLastError());
  std::printf("memory       ours %9.0f GB/s  copy %9.0f GB/s  share %3.0f %%\n", 2 * bytes / both * 1e-9,
              2 * bytes / copy * 1e-9, 100 * copy / both);
}

int main() {
  cudaDeviceProp facts;
  int driver = 0;
  CHECK(cudaGetDeviceProperties(&facts, 0));
  CHECK(cudaDriverGetVersion(&driver));
  std::printf("%s  sm_%d%d  %d multiprocessors  driver %d\n", facts.name, facts.major, facts.minor,
              facts.multiProcessorCount, driver);
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  Timer timer;
  const Format formats[kFormats] = {
      format_of<Fp64>(CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F),
      format_of<Fp32>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC),
      format_of<Tf32>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32),
      format_of<Bf16>(CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F),
      format_of<Fp16>(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F),
      format_of<Int8>(CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I),
  };
  bool good = true;
  for (u32 i = 0; i < kFormats; ++i) good = check_format(i, formats[i], handle, timer) && good;
  measure_memory(timer);
  return good ? 0 : 2;
}
