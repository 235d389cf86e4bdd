// SPDX-License-Identifier: GPL-2.0-or-later
// What the commands of units run, and which units use a GPU.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/systemd/unit_set.h"
#include "checks/systemd/unit_words.h"

namespace gpuharden {

// The absolute path of the executable; a bare name is looked up where systemd does, as far as
// `files` has it there. Nothing for an empty command or one that is nowhere.
std::optional<std::string> executable_of(const Files& files, const UnitCommand& command);

// The script that an interpreter is given: the first absolute path among the arguments of sh,
// python, env and their kin. Nothing for other programs.
std::optional<std::string> script_of(const UnitCommand& command);

// The commands of one setting ("ExecStart"), reset semantics applied.
std::vector<UnitCommand> commands_of(const Unit& unit, std::string_view setting);

// Whether the unit's processes likely compute on a GPU: DeviceAllow= of compute nodes, the group
// render, GPU variables in Environment=, or the name of a known GPU or AI service in the unit's name
// or its commands. A heuristic: char-drm and the group video are not enough, since session managers
// and cameras have them too.
bool uses_gpu(const Unit& unit);

}  // namespace gpuharden
