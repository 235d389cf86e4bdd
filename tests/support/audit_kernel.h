// SPDX-License-Identifier: GPL-2.0-or-later
// Leave to change the audit rules of this machine's kernel, for tests that put every one back.
#pragma once

#include <string>

#include "engine/base/handle.h"

namespace gpuharden::test {

// Why the kernel of this machine must be left alone; empty when it need not: GPUHARDEN_HOST_KERNEL=1, audit off, no
// daemon.
std::string reason_to_leave_audit_alone();
// One test at a time, over all processes: rules are the whole machine's. Holds none when the lock cannot be had.
UniqueFd lock_audit();

}  // namespace gpuharden::test
