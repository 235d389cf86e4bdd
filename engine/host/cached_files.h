// SPDX-License-Identifier: GPL-2.0-or-later
// Files whose metadata is looked at once: an audit asks for the same folders hundreds of times, and
// is to see one state of them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

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
  // So that a view is looked up without a copy.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  template <typename T>
  using Cache = std::unordered_map<std::string, Result<T>, TextHash, std::equal_to<>>;

  Result<std::string> resolve(std::string_view path) const;

  const Files& files_;
  mutable Cache<FileStat> stats_;
  mutable Cache<std::string> links_;
  mutable Cache<std::string> real_paths_;
  mutable Cache<std::string> xattrs_;  // by path, NUL, name
};

}  // namespace gpuharden
