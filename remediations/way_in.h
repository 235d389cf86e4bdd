// SPDX-License-Identifier: GPL-2.0-or-later
// What a group gives people that they need to get in and to mend the machine.
#pragma once

#include <string>

#include "engine/host/host.h"

namespace gpuharden {

// Whether sudo makes root of the group's members: by what sudoers says, or by a name that distributions use for it.
// Where sudoers cannot be read it may be so.
bool makes_root(const Files& files, const std::string& group);

// Whether sshd lets people in because they are in the group (AllowGroups).
bool lets_in(const Files& files, const std::string& group);

}  // namespace gpuharden
