// SPDX-License-Identifier: GPL-2.0-or-later
// What several tables about kernel modules need, read once for each reader.
#pragma once

#include <map>
#include <set>
#include <string>

#include "checks/kernel/dkms_tree.h"
#include "checks/kernel/module_tree.h"
#include "engine/scan/probe.h"

namespace gpuharden {

const ModuleTrees& module_trees(TableReader& out);
const DkmsTree& dkms_tree(TableReader& out);

// The module files that DKMS says it has installed.
const std::set<std::string>& dkms_installed_files(TableReader& out);

// The packages that own these files below /lib/modules or /usr/src, by path; paths that no package
// owns are left out. kUnsupported where there is no dpkg database.
Result<std::map<std::string, std::string>> package_owners(TableReader& out, const std::set<std::string>& paths);

}  // namespace gpuharden
