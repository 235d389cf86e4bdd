// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/worker/matrix_library.h"

#include <algorithm>
#include <cstdlib>
#include <type_traits>

#include "kernels/device/numbers.h"

namespace gpuharden::kernels {
namespace {

// What NVIDIA suggests for its newer chips; the libraries of both find their fast kernels with it.
constexpr std::uint64_t kWorkspaceBytes = std::uint64_t{32} << 20U;
constexpr int kMostWorkspace = 1;  // of what is wished for, in both

// cudaDataType_t and hipDataType are the same numbers.
constexpr int kReal32 = 0;
constexpr int kReal64 = 1;
constexpr int kReal16 = 2;
constexpr int kInt8 = 3;
constexpr int kInt32 = 10;
constexpr int kBrain16 = 14;

// The numbers that differ: cublasComputeType_t, cublasLtMatmulDescAttributes_t and cublasOperation_t against HIP's.
struct Numbers {
  int sums[kFormats];
  int transpose_a, transpose_b;
  int plain, transposed;
};
constexpr Numbers kCudaNumbers = {{70, 68, 77, 68, 68, 72}, 3, 4, 0, 1};
constexpr Numbers kHipNumbers = {{7, 2, 6, 2, 2, 9}, 0, 1, 111, 112};

struct Types {
  int operand, result;  // factors are of the result's type
};
constexpr Types kTypes[kFormats] = {{kReal64, kReal64},  {kReal32, kReal32}, {kReal32, kReal32},
                                    {kBrain16, kReal32}, {kReal16, kReal32}, {kInt8, kInt32}};

// One and nothing in each type of factors.
struct Factors {
  double real64;
  float real32;
  std::int32_t int32;
  const void* of(int type) const {
    if (type == kReal64) return &real64;
    return type == kReal32 ? static_cast<const void*>(&real32) : &int32;
  }
};
constexpr Factors kOne = {1, 1, 1};
constexpr Factors kNothing = {0, 0, 0};

const Numbers& numbers_of(Vendor vendor) { return vendor == Vendor::kCuda ? kCudaNumbers : kHipNumbers; }

// The N of "libcublasLt.so.N" is CUDA's major version; one that is newer than the driver cannot start.
bool is_too_new(const std::string& path, int driver_version) {
  const auto digits = path.substr(path.rfind('.') + 1);
  return std::atoi(digits.c_str()) > driver_version / 1000;
}

}  // namespace

Failure MatrixLibrary::checked(const char* call, int code) const {
  if (code == 0) return std::nullopt;
  return Problem{std::string(kRefused), call, code, std::string(name()) + " refused"};
}

Failure MatrixLibrary::open(const std::string& driver_library) {
  const std::string stem = vendor_ == Vendor::kCuda ? "libcublasLt.so" : "libhipblaslt.so";
  const bool chosen = !driver_library.empty();
  std::vector<std::string> candidates = {library_beside(driver_library, stem)};
  if (!chosen) candidates = find_libraries(stem);
  if (!chosen && vendor_ == Vendor::kCuda)
    std::erase_if(candidates, [&](const std::string& path) { return is_too_new(path, driver_.version()); });
  GH_TRY(library_.open(candidates, stem, !chosen));
  GH_TRY(resolve());
  GH_TRY(checked("create", calls_.create(&handle_)));
  return read_version();
}

Failure MatrixLibrary::resolve() {
  std::string missing;
  const std::string prefix = vendor_ == Vendor::kCuda ? "cublasLt" : "hipblasLt";
  const auto get = [&](auto& slot, const char* end) {
    slot = reinterpret_cast<std::remove_reference_t<decltype(slot)>>(library_.symbol((prefix + end).c_str()));
    if (slot == nullptr && missing.empty()) missing = prefix + end;
  };
  get(calls_.create, "Create");
  if (vendor_ == Vendor::kCuda) get(calls_.cuda_version, "GetVersion");
  if (vendor_ == Vendor::kHip) get(calls_.hip_version, "GetVersion");
  get(calls_.new_product, "MatmulDescCreate");
  get(calls_.set_product, "MatmulDescSetAttribute");
  get(calls_.new_matrix, "MatrixLayoutCreate");
  get(calls_.new_wish, "MatmulPreferenceCreate");
  get(calls_.set_wish, "MatmulPreferenceSetAttribute");
  get(calls_.find, "MatmulAlgoGetHeuristic");
  get(calls_.multiply, "Matmul");
  if (missing.empty()) return std::nullopt;
  return Problem{std::string(kRefused), "dlsym", 0, library_.path() + " has no " + missing};
}

Failure MatrixLibrary::read_version() {
  if (vendor_ == Vendor::kCuda) {
    version_ = calls_.cuda_version();
    return std::nullopt;
  }
  int version = 0;
  GH_TRY(checked("version", calls_.hip_version(handle_, &version)));
  version_ = static_cast<std::uint64_t>(std::max(version, 0));
  return std::nullopt;
}

Failure MatrixLibrary::describe(std::uint32_t format) {
  const Numbers& numbers = numbers_of(vendor_);
  GH_TRY(checked("product", calls_.new_product(&product_, numbers.sums[format], kTypes[format].result)));
  // The libraries count by columns, and so see C', which is B'·A: the matrix of B's columns transposed, A's rows plain.
  const std::int32_t first = numbers.transposed;
  const std::int32_t second = numbers.plain;
  GH_TRY(checked("transpose", calls_.set_product(product_, numbers.transpose_a, &first, sizeof first)));
  return checked("transpose", calls_.set_product(product_, numbers.transpose_b, &second, sizeof second));
}

Failure MatrixLibrary::choose(std::uint32_t format, std::uint32_t n) {
  format_ = format;
  if (workspace_ == 0) GH_TRY(driver_.allocate(kWorkspaceBytes, &workspace_));
  GH_TRY(describe(format));
  GH_TRY(checked("matrix", calls_.new_matrix(&operand_, kTypes[format].operand, n, n, n)));
  GH_TRY(checked("matrix", calls_.new_matrix(&result_, kTypes[format].result, n, n, n)));
  Handle wish = nullptr;
  GH_TRY(checked("wish", calls_.new_wish(&wish)));
  GH_TRY(checked("wish", calls_.set_wish(wish, kMostWorkspace, &kWorkspaceBytes, sizeof kWorkspaceBytes)));
  int found = 0;
  GH_TRY(checked("find",
                 calls_.find(handle_, product_, operand_, operand_, result_, result_, wish, 1, algorithm_, &found)));
  if (found > 0) return std::nullopt;
  return Problem{std::string(kRefused), "find", 0, std::string(name()) + " has no such product for this device"};
}

Failure MatrixLibrary::multiply(Address a, Address b, Address c) const {
  const int type = kTypes[format_].result;
  return checked("multiply",
                 calls_.multiply(handle_, product_, kOne.of(type), b, operand_, a, operand_, kNothing.of(type), c,
                                 result_, c, result_, algorithm_, workspace_, kWorkspaceBytes, nullptr));
}

}  // namespace gpuharden::kernels
