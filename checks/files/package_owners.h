// SPDX-License-Identifier: GPL-2.0-or-later
// To which package a few files belong, from dpkg's lists of files.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/host/files.h"

namespace gpuharden {

// Packages by path, for those of `paths` that a package has. All lists are read: ask for many paths
// at once. A path below /usr also counts by the name that it had before /bin and /lib became links.
// kNotFound where there is no dpkg.
Result<std::map<std::string, std::string>> find_package_owners(const Files& files, const std::set<std::string>& paths);

// The lines of a list that are in `wanted`, by what `wanted` has for them.
void match_package_list(std::string_view text, const std::map<std::string, std::string, std::less<>>& wanted,
                        std::set<std::string>& found);

}  // namespace gpuharden
