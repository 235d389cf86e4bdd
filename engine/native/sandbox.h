// SPDX-License-Identifier: GPL-2.0-or-later
// Gives up every right that reading a host does not need. By libcap and libseccomp.
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

// For the calling process, for good: uid and gid 65534 with only the capabilities that reading needs
// (as root), no new privileges, no file may grow, no core dump, and no system call that changes
// anything. Returns what this kernel or container did not let it do, for the report; an error when
// the system-call filter could not be loaded: then the caller must not go on.
Result<std::vector<std::string>> enter_reader_sandbox();

}  // namespace gpuharden
