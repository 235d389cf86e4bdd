// SPDX-License-Identifier: GPL-2.0-or-later
// Lists in one cell: rules take them apart by json_each().
#pragma once

#include <string>
#include <vector>

namespace gpuharden {

// A JSON list of texts; invalid UTF-8 is replaced.
std::string json_list(const std::vector<std::string>& texts);

}  // namespace gpuharden
