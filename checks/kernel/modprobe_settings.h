// SPDX-License-Identifier: GPL-2.0-or-later
// What modprobe is told by all its folders and by the running kernel's command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checks/kernel/conf_files.h"
#include "checks/kernel/modprobe_conf.h"
#include "engine/scan/probe.h"

namespace gpuharden {

struct PlacedModprobeLine {
  ModprobeLine line;
  std::string file;                        // /proc/cmdline for the command line
  std::optional<std::int64_t> file_mtime;  // seconds since the epoch; nothing for the command line
};

// In modprobe's order: a later option of a module wins over an earlier one, the first install or
// remove command of a module is the one that runs. From the command line come "blacklist"
// (modprobe.blacklist=), "options" (module.parameter=), and two commands that modprobe does not
// know: "module_blacklist", which the kernel itself obeys, and "initramfs_blacklist"
// (rd.driver.blacklist=), which holds until the real root is mounted.
struct ModprobeLines {
  std::vector<PlacedModprobeLine> lines;
  std::vector<ConfFileError> errors;
};

// Read once for each reader.
const ModprobeLines& modprobe_lines(TableReader& out);

}  // namespace gpuharden
