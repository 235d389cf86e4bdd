// SPDX-License-Identifier: GPL-2.0-or-later
// Changing files of one root, so that each change is there as a whole or not at all.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/host/file_state.h"
#include "engine/host/root_files.h"
#include "engine/host/write_calls.h"

namespace gpuharden {

// Paths are absolute and mean paths inside the root; no link leads outside, and no remote file system is
// entered. The folder of a path may be reached by links; a link at its end is itself what is changed.
class TreeWriter {
 public:
  // `root` is a folder of this machine ("/" for the machine itself); `calls` outlives the writer.
  static Result<std::unique_ptr<TreeWriter>> open(const std::string& root, WriteCalls& calls);

  // The path that is to be written when `path` is meant: links at its end are followed. What does not
  // exist stays as it is named.
  Result<std::string> target_of(std::string_view path) const;
  // As it lies there. A folder's contents are not part of its state. kTooLarge where capture_file() says so.
  Result<FileState> capture(std::string_view path) const;
  // Why this path must not be changed, if so: it has several hard links, is a mount point ("bind mount"),
  // is immutable or append-only, or lies on a read-only file system.
  Status may_change(std::string_view path) const;

  // Makes `to` out of `from`, durably: a new file beside it, synced, renamed over it; only what differs
  // where the contents stay. kStale when the path is neither as `from` nor on its way to `to`; then nothing is
  // changed. `tag` names temporary files: clean() removes what a killed change() left.
  Status change(std::string_view path, const FileState& from, const FileState& to, std::string_view tag);
  Status clean(std::string_view path, std::string_view tag);
  // Adds to the end of a plain file, durably, after cutting it to `length` bytes where it is longer.
  Status append(std::string_view path, std::size_t length, std::string_view bytes);
  // Holds the lock (fcntl(2), as lckpwdf(3), dpkg and apt take theirs) while the descriptor is open; where the file
  // is missing makes it (0600), or says kNotFound. kUnsupported, with the other's pid, when someone else holds it.
  enum class IfMissing { kMake, kFail };
  Result<UniqueFd> lock(std::string_view path, IfMissing if_missing = IfMissing::kMake);
  // Of the file system that the path is, or will be, on.
  Result<std::uint64_t> free_bytes(std::string_view path) const;
  bool is_empty_folder(std::string_view path) const;

  const Files& files() const { return *files_; }

 private:
  struct Place;
  TreeWriter(std::unique_ptr<RootFiles> files, WriteCalls& calls) : files_(std::move(files)), calls_(calls) {}
  Result<Place> place_of(std::string_view path) const;
  Status replace(const Place& place, const FileState& to, const std::string& temporary);
  Status fill(const Place& place, const FileState& to, const std::string& temporary);
  Status adjust(const Place& place, const FileState& to);
  Status adjust_open(int file, const FileState& current, const FileState& to, const std::string& path);
  Status remove(const Place& place, const FileState& from);
  Status make_folder(const Place& place, const FileState& to, bool is_there);

  std::unique_ptr<RootFiles> files_;
  WriteCalls& calls_;
};

}  // namespace gpuharden
