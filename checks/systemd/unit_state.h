// SPDX-License-Identifier: GPL-2.0-or-later
// What `systemctl is-enabled` would say, and what could start a unit.
#pragma once

#include "checks/systemd/unit_folders.h"
#include "checks/systemd/unit_set.h"

namespace gpuharden {

// Sets state, enabled_by and is_startable of every unit. A unit counts as startable when a link, a
// D-Bus name, or a startable unit (Wants=, Requires=, BindsTo=, Upholds=; the socket, path, timer
// or automount that activates it) pulls it in; the mere possibility of `systemctl start` does not.
void find_unit_states(const Files& files, const UnitFolders& folders, UnitSet& units);

}  // namespace gpuharden
