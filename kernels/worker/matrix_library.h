// SPDX-License-Identifier: GPL-2.0-or-later
// The vendor's own library of matrix products, cuBLASLt or hipBLASLt, where one is installed: it knows each chip's
// matrix units better than kernels that must run on all of them. The two have the same calls and other numbers.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/worker/driver.h"
#include "kernels/worker/library.h"
#include "kernels/worker/problem.h"

namespace gpuharden::kernels {

// The reason of a problem that says nothing of the device: the library has no such product, or cannot start.
constexpr std::string_view kRefused = "refused";

// Products on the device that `driver` uses. What it makes lives as long as the worker.
class MatrixLibrary {
 public:
  explicit MatrixLibrary(Driver& driver) : driver_(driver), vendor_(driver.vendor()) {}

  // `driver_library` as it was given to Driver::open(): then the library beside it. Whatever fails says nothing of the
  // device.
  Failure open(const std::string& driver_library);
  // Products of n × n of a format from now on.
  Failure choose(std::uint32_t format, std::uint32_t n);
  // C = A·B as gh_product computes it: A by rows, B by columns, C by rows. Only started.
  Failure multiply(Address a, Address b, Address c) const;

  std::string_view name() const { return vendor_ == Vendor::kCuda ? "cuBLASLt" : "hipBLASLt"; }
  std::uint64_t version() const { return version_; }  // as the library counts
  const std::string& path() const { return library_.path(); }

 private:
  using Handle = void*;
  Failure resolve();
  Failure checked(const char* call, int code) const;
  Failure describe(std::uint32_t format);
  Failure read_version();

  struct Calls {
    int (*create)(Handle*) = nullptr;
    std::size_t (*cuda_version)() = nullptr;
    int (*hip_version)(Handle, int*) = nullptr;
    int (*new_product)(Handle*, int, int) = nullptr;  // type of sums, of factors
    int (*set_product)(Handle, int, const void*, std::size_t) = nullptr;
    int (*new_matrix)(Handle*, int, std::uint64_t, std::uint64_t, std::int64_t) = nullptr;
    int (*new_wish)(Handle*) = nullptr;
    int (*set_wish)(Handle, int, const void*, std::size_t) = nullptr;
    int (*find)(Handle, Handle, Handle, Handle, Handle, Handle, Handle, int, void*, int*) = nullptr;
    int (*multiply)(Handle, Handle, const void*, Address, Handle, Address, Handle, const void*, Address, Handle,
                    Address, Handle, const void*, Address, std::size_t, void*) = nullptr;
  };

  Driver& driver_;
  Vendor vendor_;
  Library library_;
  Calls calls_;
  std::uint64_t version_ = 0;
  Address workspace_ = 0;
  std::uint32_t format_ = 0;
  Handle handle_ = nullptr, product_ = nullptr, operand_ = nullptr, result_ = nullptr;
  // The library's answer to `find`: an opaque algorithm comes first. 96 bytes in cuBLASLt, 56 in hipBLASLt.
  alignas(8) unsigned char algorithm_[512] = {};
};

}  // namespace gpuharden::kernels
