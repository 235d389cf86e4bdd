// SPDX-License-Identifier: GPL-2.0-or-later
// Which package a file belongs to, from dpkg's own lists.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/host/files.h"

namespace gpuharden {

struct FileOwners {
  std::map<std::string, std::string, std::less<>> packages;  // by path; files of no package are not in it
  std::vector<Error> errors;                                 // lists that could not be read
};

// Reads every list of /var/lib/dpkg/info once. The lists name files as packages ship them: /lib/x also
// means /usr/lib/x, and a diverted file belongs to the package that it was diverted from. kNotFound
// where there is no such folder: an image of another kind, or one without dpkg.
Result<FileOwners> find_file_owners(const Files& files, const std::vector<std::string>& paths);

// The lines of /var/lib/dpkg/diversions come in threes: a file, where it is put instead, and by whom.
std::map<std::string, std::string, std::less<>> parse_diversions(std::string_view text);

}  // namespace gpuharden
