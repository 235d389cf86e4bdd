// SPDX-License-Identifier: GPL-2.0-or-later
// JSON lists of texts as rules hand them to a table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

// kMalformed for anything but a list of texts.
Result<std::vector<std::string>> parse_string_list(std::string_view json);

}  // namespace gpuharden
