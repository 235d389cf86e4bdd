// SPDX-License-Identifier: GPL-2.0-or-later
// A tree of files as it is, to be compared with what it becomes.
#pragma once

#include <map>
#include <string>

#include "engine/host/file_state.h"

namespace gpuharden::test {

// Every path below a root with its state; the journal's folder and the times of folders are left out.
using Snapshot = std::map<std::string, FileState>;
Snapshot snapshot_of(const std::string& root);
// A line for each path that differs; empty when none does.
std::string difference(const Snapshot& found, const Snapshot& expected);

}  // namespace gpuharden::test
