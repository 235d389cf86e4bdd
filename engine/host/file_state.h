// SPDX-License-Identifier: GPL-2.0-or-later
// Everything about one path that an undo must bring back.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/host/files.h"
#include "engine/host/write_calls.h"

namespace gpuharden {

// A path that is not there is a state too.
struct FileState {
  bool exists = false;
  FileType type = FileType::kUnknown;
  std::string bytes;       // of a regular file; of a link its text
  std::uint32_t mode = 0;  // permission bits, 07777
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  FileTime modified;
  std::map<std::string, std::string> xattrs;  // access control lists are among them
  bool operator==(const FileState&) const = default;
};

// A file that is not there.
inline FileState no_file() { return {}; }
// A plain file of root's; `modified` is set when it is written.
FileState new_file(std::string bytes, std::uint32_t mode = 0644);
FileState new_folder(std::uint32_t mode = 0755);
FileState new_link(std::string target);

// Equal in everything but the time of the last change: a file that was only touched has not changed.
bool is_same(const FileState& a, const FileState& b);

// How a path stands between two states of it.
enum class Progress {
  kBefore,   // nothing of the change is there (also when nothing was to change)
  kAfter,    // all of it
  kPartly,   // same contents, some of mode, owner and attributes are already as they shall be
  kForeign,  // someone else changed it
};
Progress progress_of(const FileState& current, const FileState& before, const FileState& after);

// What differs, for messages: "contents", "mode 0644 for 0600", "owner", "is gone", …
std::vector<std::string> differences(const FileState& found, const FileState& expected);

}  // namespace gpuharden
