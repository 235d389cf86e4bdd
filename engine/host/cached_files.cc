// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/cached_files.h"

#include <deque>

#include "engine/base/text.h"
#include "engine/host/mounts.h"

namespace gpuharden {
namespace {

constexpr int kMaxLinks = 40;

// Processes come and go, and the links of /proc lead to other processes' worlds.
bool is_volatile(std::string_view path) { return is_within(path, "/proc"); }

// The components of `path` before those that are waiting already.
void put_first(std::deque<std::string>& waiting, std::string_view path) {
  const auto parts = split(path, '/');
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (!part->empty() && *part != ".") waiting.emplace_front(*part);
  }
}

}  // namespace

Result<FileStat> CachedFiles::lstat(std::string_view path) const {
  if (is_volatile(path)) return files_.lstat(path);
  return stats_.get(path, [&] { return files_.lstat(path); });
}

Result<std::string> CachedFiles::read_link(std::string_view path) const {
  if (is_volatile(path)) return files_.read_link(path);
  return links_.get(path, [&] { return files_.read_link(path); });
}

Result<std::string> CachedFiles::xattr(std::string_view path, const char* name) const {
  if (is_volatile(path)) return files_.xattr(path, name);
  return xattrs_.get(concat({path, std::string_view("\0", 1), name}), [&] { return files_.xattr(path, name); });
}

Result<FileStat> CachedFiles::stat(std::string_view path) const {
  if (is_volatile(path)) return files_.stat(path);
  const auto real = real_path(path);
  if (!real) return real.error();
  return lstat(*real);
}

Result<std::string> CachedFiles::real_path(std::string_view path) const {
  if (is_volatile(path)) return files_.real_path(path);
  return real_paths_.get(path, [&] { return resolve(path); });
}

// Component by component over what is remembered: only what is new is looked at.
Result<std::string> CachedFiles::resolve(std::string_view path) const {
  if (path.empty() || path[0] != '/' || path.find('\0') != std::string_view::npos) return files_.real_path(path);
  std::deque<std::string> waiting;
  put_first(waiting, path);
  std::string real;
  int links = 0;
  while (!waiting.empty()) {
    const std::string name = std::move(waiting.front());
    waiting.pop_front();
    if (name == "..") {
      if (!real.empty()) real.erase(real.rfind('/'));
      continue;
    }
    const std::string next = concat({real, "/", name});
    if (is_volatile(next)) return files_.real_path(path);
    const auto stat = lstat(next);
    if (!stat) return stat.error();
    if (stat->type != FileType::kSymlink) {
      const bool is_blocked = !waiting.empty() && stat->type != FileType::kDirectory;
      if (is_blocked) return Error{ErrorCode::kNotFound, concat({path, ": ", next, " is not a directory"})};
      real = next;
      continue;
    }
    const auto target = read_link(next);
    if (!target) return target.error();
    if (++links > kMaxLinks) return Error{ErrorCode::kLoop, concat({path, ": too many symbolic links"})};
    if (target->starts_with('/')) real.clear();
    put_first(waiting, *target);
  }
  return real.empty() ? "/" : real;
}

}  // namespace gpuharden
