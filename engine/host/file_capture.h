// SPDX-License-Identifier: GPL-2.0-or-later
// Reading everything about one path that an undo must bring back.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "engine/base/result.h"
#include "engine/host/file_state.h"

namespace gpuharden {

constexpr std::size_t kMaxFileBytes = std::size_t{8} << 20U;

// `name` in an open folder, as it lies there: a link is not followed, a device not opened. `path` is for
// messages. kTooLarge over kMaxFileBytes.
Result<FileState> capture_file(int folder, const std::string& name, const std::string& path);

// Of what is open; empty where the file system has none.
Result<std::map<std::string, std::string>> read_xattrs(int file, const std::string& path);

// A name of the object that is open, whatever its path became.
std::string open_name(int file);

}  // namespace gpuharden
