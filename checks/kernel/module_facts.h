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

// The packages that own these files, by path; paths that no package owns are left out. Lists of
// packages that are likely to hold modules are read first, the others only for what is still
// without an owner. kUnsupported where there is no dpkg database.
Result<std::map<std::string, std::string>> package_owners(const Files& files, const std::set<std::string>& paths);

}  // namespace gpuharden
