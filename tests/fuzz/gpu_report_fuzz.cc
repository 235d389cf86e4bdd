// SPDX-License-Identifier: GPL-2.0-or-later
// The report of the GPUs, as a capture holds it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checks/gpu/gpu_report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto report = gpuharden::parse_gpu_report({reinterpret_cast<const char*>(data), size});
  if (!report) return 0;
  for (const auto& gpu : report->devices) {
    if (gpuharden::gpu_label(gpu).empty()) __builtin_trap();
    // Nothing but the three words of the format comes through.
    if (gpu.outcome != "pass" && gpu.outcome != "failed" && gpu.outcome != "not evaluated") __builtin_trap();
  }
  return 0;
}
