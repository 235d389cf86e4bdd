// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/real_tree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "engine/host/capture_yaml.h"

namespace gpuharden::test {
namespace fs = std::filesystem;
namespace {

void make_missing(const std::string& path, const CapturedPath& laid) {
  if (!laid.type || fs::exists(fs::symlink_status(path))) return;
  fs::create_directories(fs::path(path).parent_path());
  switch (*laid.type) {
    case FileType::kDirectory: fs::create_directory(path); break;
    case FileType::kSymlink: fs::create_symlink(laid.link, path); break;
    case FileType::kCharacterDevice:
    case FileType::kBlockDevice: {
      const mode_t kind = *laid.type == FileType::kBlockDevice ? S_IFBLK : S_IFCHR;
      if (::mknod(path.c_str(), kind | 0600, makedev(laid.device_major, laid.device_minor)) != 0)
        throw std::runtime_error("mknod " + path);
      break;
    }
    default: std::ofstream(path).flush();
  }
}

void lay_over(const std::string& path, const CapturedPath& laid) {
  make_missing(path, laid);
  struct stat now {};
  if (::lstat(path.c_str(), &now) != 0) return;
  if (::lchown(path.c_str(), laid.uid.value_or(now.st_uid), laid.gid.value_or(now.st_gid)) != 0)
    throw std::runtime_error("chown " + path);
  if (!S_ISLNK(now.st_mode)) ::chmod(path.c_str(), laid.mode.value_or(now.st_mode & 07777U));
  if (laid.xattrs != nullptr) {
    for (const auto& [name, value] : *laid.xattrs)
      ::setxattr(path.c_str(), name.c_str(), value.data(), value.size(), 0);
  }
  if (!laid.mtime) return;
  const timespec times[2] = {{0, UTIME_OMIT}, {*laid.mtime, 0}};
  ::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

}  // namespace

void make_real(const std::string& capture, const std::string& root) {
  const auto captured = read_captured_host(capture);
  if (!captured) throw std::runtime_error(captured.error().message);
  for (const auto& [path, laid] : (*captured)->paths) lay_over(root + path, laid);
}

}  // namespace gpuharden::test
