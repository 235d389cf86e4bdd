// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/file_capture.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>

#include "engine/base/handle.h"
#include "engine/base/text.h"
#include "engine/host/root_files.h"

namespace gpuharden {
namespace {

Result<std::string> read_to_end(int file, const std::string& path) {
  std::string bytes;
  std::string block(65536, '\0');
  for (;;) {
    const auto count = ::read(file, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return error_from_errno(errno, path);
    if (count == 0) return bytes;
    bytes.append(block, 0, static_cast<std::size_t>(count));
    if (bytes.size() > kMaxFileBytes) return Error{ErrorCode::kTooLarge, concat({path, ": too large to be changed"})};
  }
}

Result<std::string> read_target(int link, const std::string& path) {
  std::string text(PATH_MAX, '\0');
  const auto length = ::readlinkat(link, "", text.data(), text.size());
  if (length < 0) return error_from_errno(errno, path);
  return text.substr(0, static_cast<std::size_t>(length));
}

}  // namespace

std::string open_name(int file) { return "/proc/self/fd/" + std::to_string(file); }

Result<std::map<std::string, std::string>> read_xattrs(int file, const std::string& path) {
  std::string names(65536, '\0');
  const auto size = ::listxattr(open_name(file).c_str(), names.data(), names.size());
  if (size < 0 && (errno == ENOTSUP || errno == ENODATA)) return std::map<std::string, std::string>();
  if (size < 0) return error_from_errno(errno, path);
  names.resize(static_cast<std::size_t>(size));
  std::map<std::string, std::string> xattrs;
  for (const auto name : split(names, '\0')) {
    if (name.empty()) continue;
    std::string value(65536, '\0');
    const std::string text(name);
    const auto length = ::getxattr(open_name(file).c_str(), text.c_str(), value.data(), value.size());
    if (length < 0) return error_from_errno(errno, concat({path, ": ", name}));
    xattrs[text] = value.substr(0, static_cast<std::size_t>(length));
  }
  return xattrs;
}

Result<FileState> capture_file(int folder, const std::string& name, const std::string& path) {
  const UniqueFd object(::openat(folder, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (!object && errno == ENOENT) return no_file();
  if (!object) return error_from_errno(errno, path);
  struct stat raw {};
  if (::fstat(object.get(), &raw) != 0) return error_from_errno(errno, path);
  GH_ASSIGN_OR_RETURN(const FileStat stat, stat_of(object.get(), path));
  FileState state;
  state.exists = true;
  state.type = stat.type;
  state.mode = stat.mode;
  state.uid = stat.uid;
  state.gid = stat.gid;
  state.modified = {raw.st_mtim.tv_sec, raw.st_mtim.tv_nsec};
  if (stat.type == FileType::kSymlink) {
    GH_ASSIGN_OR_RETURN(state.bytes, read_target(object.get(), path));
    return state;
  }
  GH_ASSIGN_OR_RETURN(state.xattrs, read_xattrs(object.get(), path));
  if (stat.type != FileType::kRegular) return state;
  // What is open is a plain file: nothing happens by reading it.
  const UniqueFd file(::open(open_name(object.get()).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file) return error_from_errno(errno, path);
  GH_ASSIGN_OR_RETURN(state.bytes, read_to_end(file.get(), path));
  return state;
}

}  // namespace gpuharden
