// SPDX-License-Identifier: GPL-2.0-or-later
// Digests of files that are too large to be held in memory.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "engine/host/files.h"

namespace gpuharden {

// Raw SHA-256 of a regular file, read in pieces. kTimeout when `deadline` passes meanwhile.
Result<std::string> file_sha256(const Files& files, std::string_view path,
                                std::chrono::steady_clock::time_point deadline);

}  // namespace gpuharden
