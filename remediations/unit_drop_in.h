// SPDX-License-Identifier: GPL-2.0-or-later
// Our drop-in of a system unit: vendors' unit files are never edited.
#pragma once

#include <string>

#include "engine/apply/action.h"

namespace gpuharden {

// Puts the setting into [Service] of /etc/systemd/system/UNIT.d/zz-gpuharden.conf, in place of a line that begins
// with `start`, and has the unit restarted where it runs. kMalformed for what is no name of a unit.
Status set_in_drop_in(Draft& draft, const std::string& unit, const std::string& start, const std::string& line);

}  // namespace gpuharden
