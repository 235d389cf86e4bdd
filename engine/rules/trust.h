// SPDX-License-Identifier: GPL-2.0-or-later
// Others than root must not be able to change what root's audit runs on.
#pragma once

#include <string>
#include <vector>

#include "engine/host/files.h"
#include "engine/rules/diagnostic.h"

namespace gpuharden {

// Adds a fault when somebody else than root can change `path` or the way to it, or when that cannot be told.
// What is not there is no fault.
void check_trust(const std::string& path, const Files& files, std::vector<Diagnostic>& diagnostics);

}  // namespace gpuharden
