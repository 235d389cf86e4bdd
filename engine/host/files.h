// SPDX-License-Identifier: GPL-2.0-or-later
// Reading files of one root: a host's, or the one a process lives in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/handle.h"
#include "engine/base/result.h"

namespace gpuharden {

enum class FileType : std::uint8_t {
  kRegular,
  kDirectory,
  kSymlink,
  kCharacterDevice,
  kBlockDevice,
  kFifo,
  kSocket,
  kUnknown
};

// "file", "directory", "symlink", "character device", …
std::string_view to_string(FileType type);

struct FileStat {
  FileType type = FileType::kUnknown;
  std::uint32_t mode = 0;  // permission bits, 07777
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint32_t device_major = 0;  // of a device node
  std::uint32_t device_minor = 0;
  std::uint64_t size = 0;  // bytes; 0 for files of /proc
  std::int64_t mtime = 0;  // seconds since the epoch
  std::uint64_t inode = 0;
  std::uint32_t links = 1;
};

struct FileBytes {
  std::string bytes;
  FileStat stat;
  bool truncated = false;  // the file goes on after `bytes`: the rest is a gap
};

struct DirectoryEntry {
  std::string name;
  FileType type = FileType::kUnknown;  // kUnknown where the file system does not say
};

// A file or folder for a library that opens paths itself. `path` names the opened object, whatever
// its own path becomes, and is good while `descriptor` lives.
struct LibraryPath {
  UniqueFd descriptor;
  std::string path;
};

struct LinkEntry {
  std::string name;
  Result<std::string> target;  // the link's text, or why it could not be had
};

constexpr std::size_t kDefaultReadCap = std::size_t{1} << 20U;

// All paths are absolute and mean paths inside the root: no link, however written, leads outside,
// and network, FUSE and automounted file systems are never entered (ErrorCode::kRemote). Nothing
// here blocks on a FIFO or a device. Errors name the path.
class Files {
 public:
  virtual ~Files() = default;

  // A regular file's bytes, at most `cap` of them. Links are followed.
  virtual Result<FileBytes> read(std::string_view path, std::size_t cap = kDefaultReadCap) const = 0;
  // Follows links; kNotFound for a dangling one.
  virtual Result<FileStat> stat(std::string_view path) const = 0;
  // Of the link itself.
  virtual Result<FileStat> lstat(std::string_view path) const = 0;
  // The entries without "." and "..", sorted by name bytes.
  virtual Result<std::vector<DirectoryEntry>> list(std::string_view path) const = 0;
  // A link's own text; also of /proc/PID/{exe,cwd,root,fd/N,ns/*}.
  virtual Result<std::string> read_link(std::string_view path) const = 0;
  // Every entry of a folder of links (/proc/PID/fd) with its text, sorted by name.
  virtual Result<std::vector<LinkEntry>> links(std::string_view folder) const;
  // Where the path ends up inside the root, without links.
  virtual Result<std::string> real_path(std::string_view path) const = 0;
  // An extended attribute's bytes; kNotFound when there is none.
  virtual Result<std::string> xattr(std::string_view path, const char* name) const = 0;
  // For C libraries that read a regular file by its path; links are followed inside the root. The
  // caller has checked the file's size and type with stat(). kNotRegular for all but regular files.
  virtual Result<LibraryPath> library_path(std::string_view path) const = 0;
};

// A pointer for callers that may or may not get files of their own.
inline std::shared_ptr<const Files> not_owned(const Files& files) { return {std::shared_ptr<const Files>(), &files}; }

// The entries of `files` that match an absolute glob pattern (* ? [..] per component, no '**'),
// sorted. A folder that is not there matches nothing; one that cannot be read is an error in
// `errors`, one each. At most `limit` paths; more is an error kTooLarge in `errors`.
std::vector<std::string> expand_glob(const Files& files, std::string_view pattern, std::vector<Error>& errors,
                                     std::size_t limit = 100000);

}  // namespace gpuharden
