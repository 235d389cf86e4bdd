// SPDX-License-Identifier: GPL-2.0-or-later
// Floor files: YAML to FloorFile, with every fault named at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/floor.h"
#include "engine/rules/diagnostic.h"

namespace gpuharden {

// The floors of one component from the text of `file`. Only usable when nothing was added to
// `diagnostics`.
FloorFile load_floors(const std::string& component, const std::string& file, std::string_view text,
                      std::vector<Diagnostic>& diagnostics);

// "nvidia-driver.yaml" gives "nvidia-driver"; empty when the name is no component's.
std::string floor_component(std::string_view file_name);

}  // namespace gpuharden
