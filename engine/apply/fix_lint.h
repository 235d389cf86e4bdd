// SPDX-License-Identifier: GPL-2.0-or-later
// What is wrong with a rule's fix.
#pragma once

#include <string_view>
#include <vector>

#include "engine/model/rule.h"
#include "engine/rules/diagnostic.h"

namespace gpuharden {

// An action or argument that does not exist, a required argument that is missing, a risk that is none. `text` is
// that of the rule's file.
void lint_fix(const Rule& rule, std::string_view text, std::vector<Diagnostic>& diagnostics);

}  // namespace gpuharden
