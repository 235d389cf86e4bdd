// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/path_exposure.h"

#include <algorithm>

#include "checks/systemd/unit_loader.h"
#include "engine/base/text.h"
#include "engine/host/path_trust.h"

namespace gpuharden {
namespace {

constexpr int kMaxLinks = 40;

bool is_absent(const Error& error) { return error.code == ErrorCode::kNotFound; }

}  // namespace

Result<PathExposure::Reason> PathExposure::of(std::string_view path, std::optional<std::uint32_t> also_trusted) {
  const std::string key = concat({std::to_string(also_trusted.value_or(0)), " ", path});
  const auto known = reasons_.find(key);
  if (known != reasons_.end()) return known->second;
  return reasons_.emplace(key, compute(std::string(path), also_trusted)).first->second;
}

Result<PathExposure::Reason> PathExposure::of_file(const std::string& path, const FileStat& stat,
                                                   std::optional<std::uint32_t> also_trusted) {
  const bool is_owned = stat.uid == 0 || stat.uid == also_trusted;
  // With an ACL the group's bits are its mask: without them it grants nobody to write.
  const bool is_closed = is_owned && stat.type == FileType::kRegular && (stat.mode & 0022U) == 0;
  const auto own = is_closed ? files_.lstat(path) : Result<FileStat>(Error{ErrorCode::kNotFound, path});
  if (!own || own->type == FileType::kSymlink) return of(path, also_trusted);
  return of(folder_of(path), also_trusted);
}

Result<bool> PathExposure::exists(const std::string& path) {
  const auto known = existing_.find(path);
  if (known != existing_.end()) return known->second;
  const auto stat = files_.stat(path);
  Result<bool> answer = stat.has_value();
  if (!stat && !is_absent(stat.error()) && stat.error().code != ErrorCode::kNotRegular) answer = stat.error();
  return existing_.emplace(path, std::move(answer)).first->second;
}

Result<bool> PathExposure::is_world_readable(const std::string& path, const FileStat& stat) {
  if ((stat.mode & 0004U) == 0) return false;
  GH_ASSIGN_OR_RETURN(const std::string real, files_.real_path(path));
  return is_open_folder(std::string(folder_of(real)));
}

// Whether every account may pass through the folder and those above it; the path is real.
Result<bool> PathExposure::is_open_folder(const std::string& folder) {
  const auto known = open_folders_.find(folder);
  if (known != open_folders_.end()) return known->second;
  const auto stat = files_.stat(folder);
  Result<bool> answer = stat.has_value() && (stat->mode & 0001U) != 0;
  if (!stat)
    answer = stat.error();
  else if (*answer && folder != "/")
    answer = is_open_folder(std::string(folder_of(folder)));
  return open_folders_.emplace(folder, std::move(answer)).first->second;
}

Result<PathExposure::Reason> PathExposure::compute(std::string path, std::optional<std::uint32_t> also_trusted) const {
  if (path.find('\0') != std::string::npos) return Error{ErrorCode::kMalformed, "a path with a NUL byte"};
  path = link_target("/", path);  // takes "//", "." and ".." away
  if (path.empty()) path = "/";
  GH_ASSIGN_OR_RETURN(Reason by_link, of_links(path, also_trusted));
  if (by_link) return by_link;
  for (;;) {
    auto reason = changeable_by_others(files_, path, also_trusted);
    const bool is_missing = !reason && (is_absent(reason.error()) || reason.error().code == ErrorCode::kNotRegular);
    if (!is_missing || path == "/") return reason;
    path = std::string(folder_of(path));
  }
}

// Each link on the way: who can change its folder can let it point elsewhere.
Result<PathExposure::Reason> PathExposure::of_links(std::string path, std::optional<std::uint32_t> also_trusted) const {
  const auto real = files_.real_path(path);
  if (real && *real == path) return Reason();
  int links = 0;
  std::size_t at = 0;
  while (at < path.size()) {
    at = std::min(path.find('/', at + 1), path.size());
    const std::string prefix = path.substr(0, at);
    const auto stat = files_.lstat(prefix);
    if (!stat && (is_absent(stat.error()) || stat.error().code == ErrorCode::kNotRegular)) return Reason();
    if (!stat) return stat.error();
    if (stat->type != FileType::kSymlink) continue;
    if (++links > kMaxLinks) return Error{ErrorCode::kLoop, concat({path, ": too many symbolic links"})};
    GH_ASSIGN_OR_RETURN(auto reason, changeable_by_others(files_, folder_of(prefix), also_trusted));
    if (reason) return reason;
    GH_ASSIGN_OR_RETURN(const std::string text, files_.read_link(prefix));
    path = link_target(prefix, text) + path.substr(at);
    at = 0;
  }
  return Reason();
}

}  // namespace gpuharden
