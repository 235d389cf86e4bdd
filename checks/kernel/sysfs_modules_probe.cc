// SPDX-License-Identifier: GPL-2.0-or-later
// The loaded modules as /sys has them: a second list, from which a rootkit may have forgotten to
// take itself.
#include "checks/kernel/kernel_value.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::string_view kFolder = "/sys/module";

constexpr Column kColumns[] = {
    {"name", ColumnType::kText, "name as the kernel writes it, with '_'", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"state", ColumnType::kText, "live, coming or going, from initstate", ColumnFlag::kNotNull},
};

void read_sysfs_modules(TableReader& out) {
  const auto entries = out.files().list(kFolder);
  if (!entries) return out.gap(kernel_fact_error(out.host(), entries.error()));
  for (const auto& entry : *entries) {
    const auto folder = concat({kFolder, "/", entry.name});
    // What is built into the kernel has a folder, too, but no state.
    const auto state = kernel_value(out.host(), folder + "/initstate", kFolder);
    if (!state) out.gap(entry.name, "*", state.error());
    if (state && *state) out.row().set("name", entry.name).set("state", **state);
  }
}

}  // namespace

Probe sysfs_modules_probe() {
  return {{"sysfs_modules", "The loadable modules that have a folder with a state in /sys/module.", kColumns},
          &read_sysfs_modules};
}

}  // namespace gpuharden
