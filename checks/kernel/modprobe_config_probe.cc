// SPDX-License-Identifier: GPL-2.0-or-later
// The lines that modprobe obeys.
#include "checks/kernel/modprobe_settings.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"file", ColumnType::kPath, "where the line stands; /proc/cmdline for the running kernel's command line",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"file_mtime", ColumnType::kInteger,
     "when the file was last changed, seconds since the epoch; NULL for the command line"},
    {"line", ColumnType::kInteger, "from 1; 1 for the command line", ColumnFlag::kNotNull},
    {"position", ColumnType::kInteger,
     "place in modprobe's order, from 1: the last option wins, the first install or remove command runs",
     ColumnFlag::kNotNull},
    {"command", ColumnType::kText,
     "blacklist, options, install, remove, alias, softdep; module_blacklist (command line; the kernel refuses the "
     "module) "
     "and initramfs_blacklist (rd.driver.blacklist=, only until the real root is mounted)",
     ColumnFlag::kNotNull},
    {"module", ColumnType::kText,
     "module, with '_' for '-'; of an alias the alias itself; may be a pattern of install lines", ColumnFlag::kNotNull},
    {"argument", ColumnType::kText, "the rest as written: options, the shell command, the module of an alias",
     ColumnFlag::kNotNull},
};

void read_modprobe_config(TableReader& out) {
  const auto& settings = modprobe_lines(out);
  for (const auto& [path, error] : settings.errors) out.gap(path, "*", error);
  int position = 0;
  for (const auto& [line, file, mtime] : settings.lines) {
    out.row()
        .set("file", file)
        .set("file_mtime", mtime)
        .set("line", line.line)
        .set("position", ++position)
        .set("command", line.command)
        .set("module", line.module)
        .set("argument", line.argument);
  }
}

}  // namespace

Probe modprobe_config_probe() {
  return {
      {"modprobe_config",
       "Every line of modprobe.d that is not shadowed, and what the running kernel's command line says about modules.",
       kColumns},
      &read_modprobe_config};
}

}  // namespace gpuharden
