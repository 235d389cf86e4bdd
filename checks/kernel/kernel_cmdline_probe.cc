// SPDX-License-Identifier: GPL-2.0-or-later
// The words of the running kernel's command line.
#include "checks/kernel/kernel_cmdline.h"

#include "checks/kernel/module_name.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"name", ColumnType::kText, "name of the parameter; '-' and '_' are the same to the kernel and shown as '_'",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"value", ColumnType::kText, "what follows '=', without quotes; NULL for a word without '='"},
    {"position", ColumnType::kInteger, "from 1; of parameters that hold one value, the last one wins",
     ColumnFlag::kNotNull},
    {"for_init", ColumnType::kBoolean, "1 after \"--\": the kernel hands it to init and does not read it",
     ColumnFlag::kNotNull},
};

void read_kernel_cmdline(TableReader& out) {
  const auto file = out.files().read("/proc/cmdline");
  if (!file) return out.gap(kernel_fact_error(out.host(), file.error()));
  int position = 0;
  for (const auto& parameter : parse_kernel_cmdline(file->bytes)) {
    out.row()
        .set("name", normalize_module_name(parameter.name))
        .set("value", parameter.value)
        .set("position", ++position)
        .set("for_init", parameter.for_init);
  }
}

}  // namespace

Probe kernel_cmdline_probe() {
  return {{"kernel_cmdline", "The parameters that the running kernel was booted with, from /proc/cmdline.", kColumns},
          &read_kernel_cmdline};
}

}  // namespace gpuharden
