// SPDX-License-Identifier: GPL-2.0-or-later
// The udev rules of a host in the order in which udev reads them.
#pragma once

#include <string>
#include <vector>

#include "checks/devices/udev_rule.h"
#include "checks/kernel/conf_files.h"
#include "engine/host/host.h"
#include "engine/scan/probe.h"

namespace gpuharden {

struct UdevFile {
  std::string path;
  std::vector<UdevRule> rules;
};

struct UdevFiles {
  std::vector<UdevFile> files;
  std::vector<ConfFileError> errors;
};

// Files of /etc, /run, /usr/local/lib and /usr/lib, sorted by name; a name counts for the first
// folder that has it. Read once for all probes.
const UdevFiles& udev_files_of(SharedFacts& shared, const Host& host);

}  // namespace gpuharden
