// SPDX-License-Identifier: GPL-2.0-or-later
// The files that a process has mapped as code (/proc/PID/maps).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct MappedFile {
  std::string path;         // without " (deleted)"; "/memfd:name" for memory alone
  bool is_deleted = false;  // the file was removed or replaced since
  bool operator==(const MappedFile&) const = default;
};

// The files behind executable mappings, each once, sorted. Anonymous memory, the stack and the kernel's
// own pages are left out; so are lines that make no sense.
std::vector<MappedFile> parse_proc_maps(std::string_view text);

}  // namespace gpuharden
