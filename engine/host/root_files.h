// SPDX-License-Identifier: GPL-2.0-or-later
// Files below one folder, by openat2: no link leads out of it, no mount is entered unasked.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/handle.h"
#include "engine/host/files.h"
#include "engine/host/mounts.h"
#include "engine/host/open_folders.h"

namespace gpuharden {

class RootFiles final : public Files {
 public:
  // `root` is an O_PATH descriptor of the folder; `mounts` are those below it.
  RootFiles(UniqueFd root, MountTable mounts) : root_(std::move(root)), mounts_(std::move(mounts)) {}
  static Result<std::unique_ptr<RootFiles>> open(const std::string& folder, MountTable mounts);

  Result<FileBytes> read(std::string_view path, std::size_t cap) const override;
  Result<FileStat> stat(std::string_view path) const override;
  Result<FileStat> lstat(std::string_view path) const override;
  Result<std::vector<DirectoryEntry>> list(std::string_view path) const override;
  Result<std::string> read_link(std::string_view path) const override;
  Result<std::vector<LinkEntry>> links(std::string_view folder) const override;
  Result<std::string> real_path(std::string_view path) const override;
  Result<std::string> xattr(std::string_view path, const char* name) const override;
  Result<LibraryPath> library_path(std::string_view path) const override;

  // As read(), but kLoop when any component is a link.
  Result<FileBytes> read_plain(std::string_view path, std::size_t cap) const;
  // An O_PATH descriptor of a folder or file: for the live host's own doors.
  Result<UniqueFd> open_path(std::string_view path) const { return open_at(path, 0, nullptr); }
  const MountTable& mounts() const { return mounts_; }

 private:
  struct Walk;
  // O_PATH descriptor; `extra_flags` may hold O_NOFOLLOW. `real` gets the path without links.
  Result<UniqueFd> open_at(std::string_view path, int extra_flags, std::string* real) const;
  Result<UniqueFd> open_fast(std::string_view path, int flags, std::uint64_t more_resolve) const;
  Result<UniqueFd> open_for_reading(std::string_view path, FileStat& stat) const;
  Result<std::vector<DirectoryEntry>> list_open(const UniqueFd& fd, std::string_view path) const;
  Result<FileBytes> read_open(const UniqueFd& fd, const FileStat& stat, std::string_view path, std::size_t cap) const;
  Result<UniqueFd> open_folder(std::string_view path) const;
  // Whether the kernel alone can be trusted with the whole path: what open_at() refuses is not among it.
  bool may_open_at_once(std::string_view path) const;
  bool kernel_keeps_out(std::string_view path) const;
  Result<UniqueFd> walk(std::string_view path, int extra_flags, std::string* real) const;
  Result<int> mount_fd(const Mount& mount) const;
  // lstat() and read_link() by one call on the open parent folder; nothing where that cannot be trusted to say
  // the same as a walk.
  struct Parent;
  std::optional<Parent> parent_of(std::string_view path) const;
  std::optional<Result<FileStat>> lstat_in_parent(std::string_view path) const;

  UniqueFd root_;
  MountTable mounts_;
  mutable std::map<std::string, UniqueFd, std::less<>> mount_fds_;  // opened on first use
  mutable OpenFolders folders_;
  mutable std::unique_ptr<char[]> scratch_;  // what read() reads into
};

// That `path` lies on a mount which is not entered.
Error remote_error(std::string_view path, const Mount& mount);

// The descriptor's metadata.
Result<FileStat> stat_of(int fd, std::string_view path);

}  // namespace gpuharden
