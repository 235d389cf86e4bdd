// SPDX-License-Identifier: GPL-2.0-or-later
// Files whose metadata is looked at once, as long as there is room for it: an audit asks for the same folders
// hundreds of times.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/memo.h"
#include "engine/host/files.h"

namespace gpuharden {

// Remembers lstat, link texts, extended attributes and real paths, failures too; files and folders
// are read anew. What lies in /proc changes while it is looked at and is never remembered.
class CachedFiles final : public Files {
 public:
  // `files` must outlive this object.
  explicit CachedFiles(const Files& files) : files_(files) {}
  CachedFiles(const CachedFiles&) = delete;
  CachedFiles& operator=(const CachedFiles&) = delete;

  Result<FileBytes> read(std::string_view path, std::size_t cap) const override { return files_.read(path, cap); }
  Result<FileStat> stat(std::string_view path) const override;
  Result<FileStat> lstat(std::string_view path) const override;
  Result<std::vector<DirectoryEntry>> list(std::string_view path) const override { return files_.list(path); }
  Result<std::string> read_link(std::string_view path) const override;
  Result<std::vector<LinkEntry>> links(std::string_view folder) const override { return files_.links(folder); }
  Result<std::string> real_path(std::string_view path) const override;
  Result<std::string> xattr(std::string_view path, const char* name) const override;
  Result<LibraryPath> library_path(std::string_view path) const override { return files_.library_path(path); }

 private:
  Result<std::string> resolve(std::string_view path) const;

  const Files& files_;
  mutable Memo<Result<FileStat>> stats_;
  mutable Memo<Result<std::string>> links_;
  mutable Memo<Result<std::string>> real_paths_;
  mutable Memo<Result<std::string>> xattrs_;  // by path, NUL, name
};

}  // namespace gpuharden
