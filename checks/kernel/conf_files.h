// SPDX-License-Identifier: GPL-2.0-or-later
// Drop-in folders in which a file shadows its namesakes: modprobe.d, sysctl.d.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/host/files.h"

namespace gpuharden {

struct ConfFile {
  std::string path;        // absolute, inside the root
  std::string bytes;       // empty for one that is masked by a link to /dev/null
  std::int64_t mtime = 0;  // seconds since the epoch; 0 for one that is masked
};

struct ConfFileError {
  std::string path;  // of the file or the folder
  Error error;
};

struct ConfFiles {
  std::vector<ConfFile> files;  // sorted by name over all folders
  std::vector<ConfFileError> errors;
};

// The files of `folders`, strongest first, whose names end in one of `suffixes`. A folder that is
// not there is none; names with a leading dot and folders inside are passed over. A file over the
// cap is in `files` with its beginning and in `errors`.
ConfFiles read_conf_files(const Files& files, std::span<const std::string_view> folders,
                          std::span<const std::string_view> suffixes);

}  // namespace gpuharden
