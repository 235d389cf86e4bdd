// SPDX-License-Identifier: GPL-2.0-or-later
// Examines the GPUs of this machine: asks each vendor's driver for its devices, gives each device to a worker of its
// own, and judges what they say.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "engine/gpu/verdict.h"
#include "engine/scan/table_source.h"

namespace gpuharden {

struct GpuRunOptions {
  kernels::Level level = kernels::Level::kQuick;
  std::optional<std::uint64_t> seed;      // without one: from the kernel's random numbers
  std::string worker;                     // absolute path of gpu-worker
  std::vector<std::string> environment;   // of the workers: see is_gpu_variable()
  std::vector<std::int64_t> devices;      // indexes as the drivers count them; empty: all
  double min_gflops = 0;                  // of fp32, 4096³
  std::int64_t expected_devices = 0;      // fewer are a failure; 0: not asked
  std::chrono::milliseconds deadline{0};  // of each worker; 0: by the level
  // Reasons for which a device that was not evaluated does not count: busy, in-use, …
  std::vector<std::string> accepted;
  std::string fault;        // planted, see gpu-worker; empty: none
  bool has_opencl = false;  // ask OpenCL what it computes on where no driver shows a GPU
  // Tests: one vendor's library by its path, instead of those that are installed.
  std::string vendor, library;
};

struct GpuRun {
  GpuOutcome outcome = GpuOutcome::kNotEvaluated;  // the worst; nothing examined is no pass
  std::vector<GpuVerdict> devices;                 // without an index: what a vendor's driver said of all
  std::vector<std::string> notes;                  // what is missing, or not as it should be
  std::uint64_t seed = 0;
};

// Facts of the host (gpus, kernel_log) come from `source`; vendors whose kernel driver has no device are not asked.
GpuRun run_gpus(const GpuRunOptions& options, TableSource& source);

// Variables of the caller that decide which devices a program sees, or as what: they are handed on.
bool is_gpu_variable(std::string_view name);

// gpu-worker of this program: beside it in a build tree, else where it is installed.
std::string own_gpu_worker();

}  // namespace gpuharden
