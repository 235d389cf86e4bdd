// SPDX-License-Identifier: GPL-2.0-or-later
// Policy files: which rules, with which parameters and severities.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/rule.h"
#include "engine/rules/diagnostic.h"

namespace gpuharden {

// One policy from the text of `file`. Only usable when nothing was added to `diagnostics`.
Policy load_policy(const std::string& name, const std::string& file, std::string_view text,
                   std::vector<Diagnostic>& diagnostics);

}  // namespace gpuharden
