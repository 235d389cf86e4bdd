// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a device computes, from what its worker said. Nothing that the worker claims is believed: every sum is
// compared with what this side knows from the seed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/gpu/worker_process.h"
#include "kernels/oracle/oracle.h"
#include "kernels/oracle/plan.h"

namespace gpuharden {

enum class GpuOutcome : std::uint8_t { kPass, kNotEvaluated, kFailed };  // the worst of several is the greatest
std::string_view to_string(GpuOutcome outcome);                          // "pass", "not evaluated", "failed"

// One check of a device that was made.
struct GpuCheck {
  // fp64 … int8, the same "by cuBLASLt" or "by hipBLASLt", permutation, atomics, pinned, peer, memory
  std::string name;
  bool passed = false;
  std::string detail;               // what is wrong, or empty
  double gflops = 0;                // of products; the slower of the device's and the host's clock
  double gbytes = 0;                // a second, of memory patterns and copies
  std::optional<bool> matrix_unit;  // a product by the chip's matrix units; nothing where a library chose
};

// What a device's memory went through, as its management library counts. Nothing where it does not.
struct GpuMemory {
  std::optional<bool> ecc;                              // whether errors are found at all
  std::optional<std::uint64_t> corrected, uncorrected;  // errors since the driver was loaded
  std::optional<std::uint64_t> remapped_rows;           // for ever
  std::optional<bool> reset_pending;                    // a row or page is taken out of use at the next reset
  std::optional<bool> remap_failed;                     // no spare row was left
  std::string trouble;                                  // why some of it could not be read, where it should be
};

// The vendor's library of matrix products, which makes the products once more. Without one nothing is missing.
struct GpuLibrary {
  std::string name, path;             // empty when none was used
  std::uint64_t version = 0;          // as the library counts
  std::string why_not;                // why none was used, where one was looked for
  std::vector<std::string> refusals;  // products that it does not have for this device, and why
};

struct GpuVerdict {
  std::string vendor;  // cuda or hip
  std::int64_t index = -1;
  std::string uuid;  // of an instance of MIG, or of a GPU beside such
  std::string name, pci, architecture, code;
  std::uint64_t memory = 0;
  std::uint64_t units = 0, clock_mhz = 0;
  GpuOutcome outcome = GpuOutcome::kNotEvaluated;
  // pass; mismatch, too-slow, unresponsive, crashed, device-error, cpu-fallback; or why it was not evaluated:
  // no-driver, stub-library, no-device, permission, busy, in-use, out-of-memory, old-driver, no-code, mig, fabric,
  // driver-mismatch, untrusted-library, incomplete, error.
  std::string reason;
  std::string sentence;  // the same for people, with the call or the place
  std::vector<GpuCheck> checks;
  GpuMemory memory_health;  // after the checks
  GpuLibrary library;
  std::int64_t took_ms = 0;
};

// What the sums of products must be; computed once for all devices of a run.
class Expectations {
 public:
  struct Folds {
    std::uint64_t rows = 0, columns = 0;
  };
  Folds product(const kernels::ProductKey& key);
  std::uint64_t data(std::uint64_t count, std::uint64_t seed);
  kernels::BinSums bins(std::uint64_t count, std::uint32_t bits, std::uint64_t seed);

 private:
  std::map<kernels::ProductKey, Folds> products_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> data_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, kernels::BinSums> bins_;
};

struct Examined {
  kernels::Level level = kernels::Level::kQuick;
  std::uint64_t seed = 0;
  std::size_t peers = 0;  // how many copies to peers were asked for
  double min_gflops = 0;  // of fp32; 0: not asked
};

GpuVerdict judge(const WorkerTranscript& transcript, const Examined& examined, Expectations& expectations);

// The part of judge() that looks at no check: how the worker ended. kPass when it came to its end.
GpuVerdict judge_end(const WorkerTranscript& transcript);

}  // namespace gpuharden
