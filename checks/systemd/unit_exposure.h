// SPDX-License-Identifier: GPL-2.0-or-later
// Who else than root can change a unit.
#pragma once

#include <optional>
#include <string>

#include "checks/environment/path_exposure.h"
#include "checks/systemd/unit_set.h"

namespace gpuharden {

// The reason why the fragment, a drop-in, or a folder that can hold drop-ins of the unit can be
// changed by others than root; nothing where none can.
Result<std::optional<std::string>> unit_changeable_by(PathExposure& exposure, const Unit& unit);

}  // namespace gpuharden
