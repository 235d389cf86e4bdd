// SPDX-License-Identifier: GPL-2.0-or-later
// The few calls of NVIDIA's management library that the worker makes: what a device's memory went through, and the
// instances that MIG made of it. Names and numbers are those of the NVML API reference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/worker/library.h"
#include "kernels/worker/problem.h"

namespace gpuharden::kernels {

// Counters of one device. Nothing where the device does not keep one, where it is not for us to see, or where the
// library does not know of it. Any other refusal is `trouble`.
struct MemoryHealth {
  std::optional<bool> ecc;                              // whether errors are found at all
  std::optional<std::uint64_t> corrected, uncorrected;  // since the driver was loaded
  std::optional<std::uint64_t> remapped_rows;           // for either kind of error, for ever
  std::optional<bool> remap_pending, remap_failed;      // a row waits for a reset; there was no spare row
  std::optional<bool> retirement_pending;               // the same of chips that retire pages
  std::string trouble;                                  // the call that failed, its code and what that means
};

// What a program can name in CUDA_VISIBLE_DEVICES: a GPU, or an instance of MIG.
struct SplitDevice {
  std::string uuid;  // empty: MIG made no instance of this GPU, and nothing can be named
  std::string pci;   // of the GPU
  bool is_instance = false;
};

class Nvml {
 public:
  // `cuda` is the driver library that the caller named, or empty: then both are looked for in the same places. Of a
  // named one only the folder counts.
  Failure open(const std::string& cuda);
  Failure memory_health(const std::string& pci, MemoryHealth* health) const;
  // All of the machine, where MIG is on for one GPU at least; else none, and they can be counted as ever.
  Failure list(std::vector<SplitDevice>* devices) const;

 private:
  using Device = void*;
  Failure checked(const char* call, int code) const;
  // Whether a counter has a value; notes trouble.
  bool has_value(const char* call, int code, MemoryHealth* health) const;
  Failure list_gpu(unsigned index, std::vector<SplitDevice>* devices, bool* has_mig) const;

  struct Calls {
    int (*init)() = nullptr;
    int (*count)(unsigned*) = nullptr;
    int (*by_index)(unsigned, Device*) = nullptr;
    int (*by_pci)(const char*, Device*) = nullptr;
    int (*uuid)(Device, char*, unsigned) = nullptr;
    int (*pci)(Device, void*) = nullptr;
    // Older libraries lack these.
    int (*ecc_mode)(Device, int*, int*) = nullptr;
    int (*ecc_errors)(Device, int, int, unsigned long long*) = nullptr;
    int (*remapped_rows)(Device, unsigned*, unsigned*, unsigned*, unsigned*) = nullptr;
    int (*retirement)(Device, int*) = nullptr;
    int (*mig_mode)(Device, unsigned*, unsigned*) = nullptr;
    int (*max_instances)(Device, unsigned*) = nullptr;
    int (*instance)(Device, unsigned, Device*) = nullptr;
    const char* (*error_text)(int) = nullptr;
  };

  Library library_;
  Calls calls_;
};

}  // namespace gpuharden::kernels
