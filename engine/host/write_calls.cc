// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/write_calls.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>

namespace gpuharden {
namespace {

Status answer(int result, std::string_view what) {
  if (result == 0) return {};
  return error_from_errno(errno, what);
}

// chmod(2) and its like take no O_PATH descriptor, but they take the name that /proc has for one.
std::string name_of(int file) { return "/proc/self/fd/" + std::to_string(file); }

}  // namespace

Result<UniqueFd> WriteCalls::create(int folder, const std::string& name) {
  UniqueFd file(::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return error_from_errno(errno, name);
  return file;
}

Result<UniqueFd> WriteCalls::open_to_append(int folder, const std::string& name) {
  UniqueFd file(::openat(folder, name.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC));
  if (!file) return error_from_errno(errno, name);
  return file;
}

Status WriteCalls::write(int file, std::string_view bytes, std::string_view what) {
  while (!bytes.empty()) {
    const auto count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return error_from_errno(errno, what);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Status WriteCalls::truncate(int file, std::uint64_t size, std::string_view what) {
  return answer(::ftruncate(file, static_cast<off_t>(size)), what);
}

Status WriteCalls::sync(int file, std::string_view what) { return answer(::fsync(file), what); }

Status WriteCalls::rename(int folder, const std::string& from, const std::string& to) {
  return answer(::renameat(folder, from.c_str(), folder, to.c_str()), to);
}

Status WriteCalls::unlink(int folder, const std::string& name) {
  return answer(::unlinkat(folder, name.c_str(), 0), name);
}

Status WriteCalls::make_folder(int folder, const std::string& name) {
  return answer(::mkdirat(folder, name.c_str(), 0700), name);
}

Status WriteCalls::remove_folder(int folder, const std::string& name) {
  return answer(::unlinkat(folder, name.c_str(), AT_REMOVEDIR), name);
}

Status WriteCalls::make_link(int folder, const std::string& name, const std::string& target) {
  return answer(::symlinkat(target.c_str(), folder, name.c_str()), name);
}

Status WriteCalls::set_mode(int file, std::uint32_t mode, std::string_view what) {
  return answer(::chmod(name_of(file).c_str(), mode), what);
}

Status WriteCalls::set_owner(int file, std::uint32_t uid, std::uint32_t gid, std::string_view what) {
  return answer(::fchownat(file, "", uid, gid, AT_EMPTY_PATH), what);
}

Status WriteCalls::set_xattr(int file, const std::string& name, std::string_view value, std::string_view what) {
  return answer(::setxattr(name_of(file).c_str(), name.c_str(), value.data(), value.size(), 0), what);
}

Status WriteCalls::remove_xattr(int file, const std::string& name, std::string_view what) {
  return answer(::removexattr(name_of(file).c_str(), name.c_str()), what);
}

Status WriteCalls::set_modified(int file, FileTime time, std::string_view what) {
  const timespec times[2] = {{0, UTIME_OMIT}, {time.seconds, time.nanoseconds}};
  return answer(::utimensat(file, "", times, AT_EMPTY_PATH), what);
}

WriteCalls& system_write_calls() {
  static WriteCalls calls;
  return calls;
}

}  // namespace gpuharden
