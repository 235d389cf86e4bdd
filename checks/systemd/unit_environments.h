// SPDX-License-Identifier: GPL-2.0-or-later
// The environments of all units and of the managers.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "checks/systemd/unit_environment.h"
#include "engine/scan/probe.h"

namespace gpuharden {

struct UnitEnvironments {
  std::vector<UnitVariable> system_defaults;                    // DefaultEnvironment= of system.conf and its drop-ins
  std::vector<UnitVariable> manager;                            // ManagerEnvironment= of system.conf
  std::vector<UnitVariable> user_defaults;                      // both, of user.conf
  std::map<std::string, UnitEnvironment, std::less<>> by_unit;  // units that set anything; no aliases
  std::vector<UnitGap> gaps;                                    // of the managers' files

  // What the processes of that unit get; the defaults where it sets nothing.
  UnitEnvironment of(std::string_view unit) const;
};

// Computed once a reader; reads the units too.
const UnitEnvironments& unit_environments(const Host& host, SharedFacts& shared);
const UnitSet& unit_set(const Host& host, SharedFacts& shared);

}  // namespace gpuharden
