// SPDX-License-Identifier: GPL-2.0-or-later
// The single checks of each GPU, with their rates.
#include "checks/gpu/gpu_report.h"
#include "checks/system/if_any.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"device", ColumnType::kText, "as the table gpu_devices has it: cuda 0", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"check_name", ColumnType::kText,
     "products of fp64, fp32, tf32, bf16, fp16 and int8, also \"by cuBLASLt\" or \"by hipBLASLt\"; permutation, "
     "atomics, pinned, peer, memory",
     ColumnFlag::kNotNull},
    {"passed", ColumnType::kBoolean, "every sum was the one that the host knows from the seed", ColumnFlag::kNotNull},
    {"detail", ColumnType::kText, "what is wrong, with the place; NULL when nothing is"},
    {"gflops", ColumnType::kInteger, "rate of a product, in GFLOP/s; NULL when it was not measured"},
    {"gbytes_per_second", ColumnType::kInteger, "rate of what moves memory; NULL when it was not measured"},
    {"matrix_unit", ColumnType::kBoolean, "whether the chip's matrix units made the product; NULL for all else"},
};

void read_gpu_compute(TableReader& out) {
  const auto report = read_gpu_report(out.host());
  if (!report) return out.gap(report.error());
  for (const auto& gpu : report->devices) {
    for (const auto& check : gpu.checks) {
      out.row()
          .set("device", gpu_label(gpu))
          .set("check_name", check.name)
          .set("passed", check.passed)
          .set("detail", if_any(check.detail))
          .set("gflops", check.gflops)
          .set("gbytes_per_second", check.gbytes)
          .set("matrix_unit", check.matrix_unit);
    }
  }
}

}  // namespace

Probe gpu_compute_probe() {
  return {{"gpu_compute",
           "What each GPU computed, check by check, see gpu_devices. Only with --deep, or where the policy asks; "
           "--no-compute leaves it out.",
           kColumns, TableCost::kDeep},
          &read_gpu_compute};
}

}  // namespace gpuharden
