// SPDX-License-Identifier: GPL-2.0-or-later
// Waiver files: YAML to Waiver, with every fault named at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/host/files.h"
#include "engine/model/waiver.h"
#include "engine/rules/diagnostic.h"

namespace gpuharden {

// The waivers of one file: {waivers: [{rule, reason, owner, expires, subject, file, host, horizon}, …]}, of which the
// first four are required. Only usable when nothing was added to `diagnostics`.
std::vector<Waiver> load_waivers(const std::string& file, std::string_view text, std::vector<Diagnostic>& diagnostics);

// Those of the folder (<folder>/*.yaml; there may be none) and then of the named files. What lies in the folder must
// not be changeable by others than root; what an option names is its user's own.
std::vector<Waiver> find_waivers(const std::string& folder, const std::vector<std::string>& named, const Files& files,
                                 std::vector<Diagnostic>& diagnostics);

}  // namespace gpuharden
