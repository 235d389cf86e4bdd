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
  return reasons_.get(key, [&] { return compute(std::string(path), also_trusted); });
}

Result<PathExposure::Reason> PathExposure::of_file(std::string_view path, const FileStat& stat,
                                                   std::optional<std::uint32_t> also_trusted) {
  const bool is_owned = stat.uid == 0 || stat.uid == also_trusted;
  // With an ACL the group's bits are its mask: without them it grants nobody to write.
  const bool is_closed = is_owned && stat.type == FileType::kRegular && (stat.mode & 0022U) == 0;
  const auto own = is_closed ? files_.lstat(path) : Result<FileStat>(Error{ErrorCode::kNotFound, std::string(path)});
  if (!own || own->type == FileType::kSymlink) return of(path, also_trusted);
  return of(folder_of(path), also_trusted);
}

Result<bool> PathExposure::exists(std::string_view path) {
  return existing_.get(path, [&]() -> Result<bool> {
    const auto stat = files_.stat(path);
    if (!stat && !is_absent(stat.error()) && stat.error().code != ErrorCode::kNotRegular) return stat.error();
    return stat.has_value();
  });
}

Result<bool> PathExposure::is_world_readable(std::string_view path, const FileStat& stat) {
  if ((stat.mode & 0004U) == 0) return false;
  GH_ASSIGN_OR_RETURN(const std::string real, files_.real_path(path));
  return is_open_folder(std::string(folder_of(real)));
}

// Whether every account may pass through the folder and those above it; the path is real.
Result<bool> PathExposure::is_open_folder(const std::string& folder) {
  return open_folders_.get(folder, [&]() -> Result<bool> {
    const auto stat = files_.stat(folder);
    if (!stat) return stat.error();
    const bool is_open = (stat->mode & 0001U) != 0;
    return is_open && folder != "/" ? is_open_folder(std::string(folder_of(folder))) : Result<bool>(is_open);
  });
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
