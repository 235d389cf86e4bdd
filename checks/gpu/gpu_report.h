// SPDX-License-Identifier: GPL-2.0-or-later
// Reads what `gpuharden gpu --format json` said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/host/host.h"

namespace gpuharden {

struct ReportedCheck {
  std::string name, detail;
  bool passed = false;
  std::optional<std::int64_t> gflops, gbytes;
  std::optional<bool> matrix_unit;
};

struct ReportedGpu {
  std::string vendor, name, pci, architecture, outcome, reason, sentence;
  std::optional<std::int64_t> index;  // unset: it is what the vendor's driver said of all its devices
  std::optional<std::int64_t> memory;
  std::string uuid, memory_trouble;
  std::optional<bool> ecc, reset_pending, remap_failed;
  std::optional<std::int64_t> corrected, uncorrected, remapped_rows;
  std::vector<ReportedCheck> checks;
};

struct GpuReport {
  std::string level;
  std::vector<ReportedGpu> devices;
  std::vector<std::string> notes;
};

// kMalformed for what is no such report; devices without an outcome make it one too.
Result<GpuReport> parse_gpu_report(std::string_view text);

// What the host holds, taken apart. kNotHeld in an image, kUnsupported where nobody asked the GPUs.
Result<GpuReport> read_gpu_report(const Host& host);

// "cuda 0", as the command calls it; "cuda" for a driver.
std::string gpu_label(const ReportedGpu& gpu);

}  // namespace gpuharden
