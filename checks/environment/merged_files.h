// SPDX-License-Identifier: GPL-2.0-or-later
// Folders of drop-in files that shadow each other by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/host/files.h"

namespace gpuharden {

// The paths whose names end in `suffix`, sorted by name; a name counts for the first folder that
// has it, and not at all where that is a link to /dev/null. A folder that is not there has none.
std::vector<std::string> merged_files(const Files& files, std::span<const std::string> folders, std::string_view suffix,
                                      std::vector<Error>& errors);

// The entries of one folder that end in `suffix`, as paths, sorted; hidden ones are left out.
std::vector<std::string> files_in(const Files& files, std::string_view folder, std::string_view suffix,
                                  std::vector<Error>& errors);

}  // namespace gpuharden
