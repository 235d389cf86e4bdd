// SPDX-License-Identifier: GPL-2.0-or-later
// Whether each GPU computes; asked only where a rule that was selected reads this.
#include "checks/gpu/gpu_report.h"
#include "checks/system/if_any.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"device", ColumnType::kText,
     "as the vendor's driver counts: cuda 0; cuda alone: the driver itself, that shows none",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"vendor", ColumnType::kText, "cuda or hip", ColumnFlag::kNotNull},
    {"name", ColumnType::kText, "as the driver gives it; NULL for a driver that shows no device"},
    {"pci", ColumnType::kText, "PCI address as the table gpus has it; NULL for a driver that shows no device"},
    {"architecture", ColumnType::kText, "sm_90, gfx942; NULL when it is not known"},
    {"memory_bytes", ColumnType::kInteger, "of the device; NULL for a driver that shows no device"},
    {"outcome", ColumnType::kText,
     "pass: every sum was the one that the host knows from the seed; failed; not evaluated", ColumnFlag::kNotNull},
    {"reason", ColumnType::kText,
     "pass, mismatch, too-slow, unresponsive, crashed, device-error, or why it was not evaluated: busy, old-driver, …; "
     "see docs/gpu.md",
     ColumnFlag::kNotNull},
    {"sentence", ColumnType::kText, "the same for people, with the place or the call", ColumnFlag::kNotNull},
    {"level", ColumnType::kText, "quick, standard or full: how much of it was examined", ColumnFlag::kNotNull},
    {"uuid", ColumnType::kText, "of an instance of MIG, and of GPUs beside such; NULL elsewhere"},
    {"ecc", ColumnType::kBoolean,
     "1 when memory errors are found at all. This and what follows is counted by NVIDIA's management library; NULL "
     "where it is not there, or the device does not count it"},
    {"corrected_errors", ColumnType::kInteger, "memory errors that were corrected since the driver was loaded"},
    {"uncorrected_errors", ColumnType::kInteger, "memory errors that lost data since the driver was loaded"},
    {"remapped_rows", ColumnType::kInteger, "rows of the memory that spare ones replaced, for ever"},
    {"reset_pending", ColumnType::kBoolean, "1 when a bad row or page stays in use until the next reset"},
    {"remap_failed", ColumnType::kBoolean, "1 when no spare row was left for a bad one"},
    {"memory_trouble", ColumnType::kText,
     "the call that should have told one of these and failed, with its code; NULL when none did"},
};

void read_gpu_devices(TableReader& out) {
  const auto report = read_gpu_report(out.host());
  if (!report) return out.gap(report.error());
  for (const auto& gpu : report->devices) {
    out.row()
        .set("device", gpu_label(gpu))
        .set("vendor", gpu.vendor)
        .set("name", if_any(gpu.name))
        .set("pci", if_any(gpu.pci))
        .set("architecture", if_any(gpu.architecture))
        .set("memory_bytes", gpu.memory)
        .set("outcome", gpu.outcome)
        .set("reason", gpu.reason)
        .set("sentence", gpu.sentence)
        .set("level", report->level)
        .set("uuid", if_any(gpu.uuid))
        .set("ecc", gpu.ecc)
        .set("corrected_errors", gpu.corrected)
        .set("uncorrected_errors", gpu.uncorrected)
        .set("remapped_rows", gpu.remapped_rows)
        .set("reset_pending", gpu.reset_pending)
        .set("remap_failed", gpu.remap_failed)
        .set("memory_trouble", if_any(gpu.memory_trouble));
  }
}

}  // namespace

Probe gpu_devices_probe() {
  return {{"gpu_devices",
           "GPUs that the vendors' drivers show, and whether they compute: each is examined by a worker of its own "
           "(`gpuharden gpu --quick`). Only with --deep, or where the policy asks; --no-compute leaves it out.",
           kColumns, TableCost::kDeep},
          &read_gpu_devices};
}

}  // namespace gpuharden
