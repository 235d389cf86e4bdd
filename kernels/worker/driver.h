// SPDX-License-Identifier: GPL-2.0-or-later
// The few calls of CUDA's driver interface and of HIP that the worker makes. The two are the same but for their names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/worker/library.h"
#include "kernels/worker/problem.h"

namespace gpuharden::kernels {

enum class Vendor : std::uint8_t { kCuda, kHip };
std::string_view to_string(Vendor vendor);

using Address = std::uint64_t;  // of memory on the device

struct DeviceFacts {
  std::string name, pci;
  std::string architecture;  // sm_90, gfx942; empty when it is not known
  std::uint64_t memory = 0;
  std::uint32_t units = 0;  // multiprocessors or compute units; 0 when not known
  std::uint32_t clock_mhz = 0;
};

// The words for what a call returned.
std::string reason_of(Vendor vendor, int code);

class Driver {
 public:
  explicit Driver(Vendor vendor) : vendor_(vendor) {}

  // `library` names one file instead of looking for it (tests); it is not asked who could change it.
  Failure open(const std::string& library);
  Failure start(int* devices);
  Failure describe(int device, DeviceFacts* facts);
  // Everything below works on this device.
  Failure use(int device);
  // Loads the kernels that fit; `loaded` names the code object.
  Failure load_kernels(const DeviceFacts& facts, std::string* loaded);

  Failure free_memory(std::uint64_t* bytes);
  Failure allocate(std::uint64_t bytes, Address* address);
  Failure release(Address address);
  Failure pinned(std::uint64_t bytes, void** memory);
  Failure upload(Address to, std::span<const std::byte> from);
  Failure download(std::span<std::byte> to, Address from);
  Failure copy(Address to, Address from, std::uint64_t bytes);
  // One value behind each argument.
  Failure launch(const std::string& kernel, std::uint32_t blocks_x, std::uint32_t blocks_y, void** arguments);
  Failure finish();
  // Device time between start_clock() and stop_clock().
  Failure start_clock();
  Failure stop_clock(double* microseconds);

  Vendor vendor() const { return vendor_; }
  const std::string& library_path() const { return library_.path(); }
  int version() const { return version_; }

 private:
  // What a function of the vendor returned, as a problem.
  Failure checked(const char* call, int code) const;
  Failure load_one(std::span<const unsigned char> bytes);
  template <typename Function, typename... Arguments>
  Failure call(const char* name, Function function, Arguments... arguments) const;
  Failure resolve();

  struct Calls {
    int (*init)(unsigned) = nullptr;
    int (*version)(int*) = nullptr;
    int (*count)(int*) = nullptr;
    int (*device)(int*, int) = nullptr;
    int (*name)(char*, int, int) = nullptr;
    int (*pci)(char*, int, int) = nullptr;
    int (*total)(std::size_t*, int) = nullptr;
    int (*attribute)(int*, int, int) = nullptr;
    int (*retain)(void**, int) = nullptr;  // CUDA
    int (*make_current)(void*) = nullptr;  // CUDA
    int (*set_device)(int) = nullptr;      // HIP
    int (*memory)(std::size_t*, std::size_t*) = nullptr;
    int (*allocate)(Address*, std::size_t) = nullptr;
    int (*release)(Address) = nullptr;
    int (*pinned)(void**, std::size_t, unsigned) = nullptr;
    int (*upload)(Address, const void*, std::size_t) = nullptr;
    int (*download)(void*, Address, std::size_t) = nullptr;
    int (*copy)(Address, Address, std::size_t) = nullptr;
    int (*load)(void**, const void*) = nullptr;
    int (*function)(void**, void*, const char*) = nullptr;
    int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                  void**) = nullptr;
    int (*finish)() = nullptr;
    int (*new_event)(void**, unsigned) = nullptr;
    int (*record)(void*, void*) = nullptr;
    int (*wait)(void*) = nullptr;
    int (*elapsed)(float*, void*, void*) = nullptr;
    int (*error_name)(int, const char**) = nullptr;  // CUDA
    const char* (*error_text)(int) = nullptr;        // HIP
  };

  Vendor vendor_;
  Library library_;
  Calls calls_;
  int version_ = 0;
  void* module_ = nullptr;
  void* events_[2] = {nullptr, nullptr};
};

}  // namespace gpuharden::kernels
