// SPDX-License-Identifier: GPL-2.0-or-later
// A change that goes back by itself unless someone who can still get in says that it is good.
#pragma once

#include <string>

#include "engine/apply/transaction.h"

namespace gpuharden {

// Makes sure that the window will be closed by someone: the unit that takes changes back at boot is enabled, and
// a process that does the same at the deadline is started. Before the first step. For a tree there is no window:
// kUnsupported.
Status watch_window(const TransactionHeader& header, TreeWriter& tree, KernelControl& kernel);

// Whether whoever runs this process got in after the change: by an SSH session that began after `since`
// (seconds since the epoch), or by a console of the machine. The error says why it does not count.
Status came_after(const Files& files, std::int64_t since, std::int64_t pid);

}  // namespace gpuharden
