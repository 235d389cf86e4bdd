// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/capture_files.h"

#include <algorithm>
#include <deque>
#include <map>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr int kMaxLinks = 40;

}  // namespace

Result<FileBytes> CaptureFiles::read(std::string_view path, std::size_t cap) const {
  if (const auto full = plain(path)) {
    auto file = tree_.read_plain(*full, cap);
    if (file) as_captured(file->stat);
    // Through a link the way is resolved by us.
    if (file || file.error().code != ErrorCode::kLoop) return file;
  }
  GH_ASSIGN_OR_RETURN(const Place place, find(path, true));
  GH_ASSIGN_OR_RETURN(const FileStat stat, stat_of_place(place));
  if (stat.type != FileType::kRegular) {
    return Error{ErrorCode::kNotRegular, concat({path, ": is a ", to_string(stat.type), ", not a regular file"})};
  }
  auto file = tree_.read(place.real, cap);
  if (file) file->stat = stat;
  if (file || place.overlay == nullptr || !place.overlay->size) return file;
  // A file of zeros that the tree does not hold: a sparse giant.
  FileBytes zeros{std::string(std::min<std::size_t>(stat.size, cap), '\0'), stat, stat.size > cap};
  return zeros;
}

Result<FileStat> CaptureFiles::stat(std::string_view path) const {
  if (const auto full = plain(path)) {
    auto stat = tree_.lstat(*full);
    if (stat && stat->type != FileType::kSymlink) {
      as_captured(*stat);
      return stat;
    }
  }
  GH_ASSIGN_OR_RETURN(const Place place, find(path, true));
  return stat_of_place(place);
}

Result<FileStat> CaptureFiles::lstat(std::string_view path) const {
  if (const auto full = plain(path)) {
    auto stat = tree_.lstat(*full);
    if (stat && stat->type == FileType::kDirectory) known_folders_.insert(*full);
    if (stat) as_captured(*stat);
    if (stat || !is_folder_of_overlay(*full)) return stat;
  }
  GH_ASSIGN_OR_RETURN(const Place place, find(path, false));
  return stat_of_place(place);
}

Result<std::vector<DirectoryEntry>> CaptureFiles::list(std::string_view path) const {
  GH_ASSIGN_OR_RETURN(const Place place, find(path, true));
  auto entries = tree_.list(place.real);
  const bool only_laid_over = !entries && is_folder_of_overlay(place.real);
  if (!entries && !only_laid_over) return entries;
  std::vector<DirectoryEntry> all = entries ? std::move(*entries) : std::vector<DirectoryEntry>();
  add_overlay_entries(place.real, all);
  return all;
}

Result<std::string> CaptureFiles::read_link(std::string_view path) const {
  if (const auto full = plain(path)) return tree_.read_link(*full);
  GH_ASSIGN_OR_RETURN(const Place place, find(path, false));
  if (place.overlay != nullptr && !place.overlay->link.empty()) return place.overlay->link;
  return tree_.read_link(place.real);
}

Result<std::vector<LinkEntry>> CaptureFiles::links(std::string_view folder) const {
  const auto full = plain(folder);
  if (!full || is_folder_of_overlay(*full)) return Files::links(folder);
  const auto stat = tree_.lstat(*full);
  return stat && stat->type == FileType::kDirectory ? tree_.links(*full) : Files::links(folder);
}

Result<std::string> CaptureFiles::real_path(std::string_view path) const {
  GH_ASSIGN_OR_RETURN(const Place place, find(path, true));
  if (const auto stat = stat_of_place(place); !stat) return stat.error();
  return place.real.substr(prefix_.size()).empty() ? "/" : place.real.substr(prefix_.size());
}

Result<std::string> CaptureFiles::xattr(std::string_view path, const char* name) const {
  GH_ASSIGN_OR_RETURN(const Place place, find(path, true));
  if (place.overlay != nullptr && place.overlay->xattrs != nullptr) {
    const auto found = place.overlay->xattrs->find(name);
    if (found != place.overlay->xattrs->end()) return found->second;
  }
  return Error{ErrorCode::kNotFound, concat({path, ": no ", name})};
}

Result<LibraryPath> CaptureFiles::library_path(std::string_view path) const {
  GH_ASSIGN_OR_RETURN(const Place place, find(path, true));
  return tree_.library_path(place.real);
}

const CapturedPath* CaptureFiles::overlay_of(std::string_view path) const {
  const auto found = host_.paths.find(path);
  return found == host_.paths.end() ? nullptr : &found->second;
}

bool CaptureFiles::is_folder_of_overlay(const std::string& path) const {
  const auto next = host_.paths.lower_bound(path + "/");
  return next != host_.paths.end() && is_within(next->first, path);
}

std::optional<std::string> CaptureFiles::link_at(const std::string& path, const CapturedPath* overlay) const {
  if (overlay != nullptr && overlay->type) {
    return overlay->type == FileType::kSymlink ? std::optional(overlay->link) : std::nullopt;
  }
  if (known_folders_.contains(path)) return std::nullopt;
  const auto stat = tree_.lstat(path);
  if (stat && stat->type == FileType::kDirectory) known_folders_.insert(path);
  if (!stat || stat->type != FileType::kSymlink) return std::nullopt;
  const auto text = tree_.read_link(path);
  return text ? std::optional(*text) : std::nullopt;
}

bool CaptureFiles::is_folder_of_tree(std::string_view path) const {
  if (path.empty() || known_folders_.contains(path)) return true;
  const auto* overlay = overlay_of(path);
  const bool is_laid_over = overlay != nullptr && (overlay->type || overlay->error);
  if (is_laid_over || !is_folder_of_tree(path.substr(0, path.rfind('/')))) return false;
  const auto stat = tree_.lstat(path);
  if (!stat || stat->type != FileType::kDirectory) return false;
  known_folders_.emplace(path);
  return true;
}

std::optional<std::string> CaptureFiles::plain(std::string_view path) const {
  const bool is_simple = path.size() > 1 && path[0] == '/' && path.back() != '/' &&
                         path.find("//") == std::string_view::npos && path.find("/./") == std::string_view::npos &&
                         path.find("/..") == std::string_view::npos && !path.ends_with("/.");
  if (!is_simple) return std::nullopt;
  std::string full = concat({prefix_, path});
  if (mounts_.has_recorded_barriers() && mounts_.barrier(full) != nullptr) return std::nullopt;
  if (!is_folder_of_tree(std::string_view(full).substr(0, full.rfind('/')))) return std::nullopt;
  return overlay_of(full) == nullptr ? std::optional(std::move(full)) : std::nullopt;
}

Result<CaptureFiles::Place> CaptureFiles::find(std::string_view path, bool follow) const {
  if (path.empty() || path[0] != '/') return Error{ErrorCode::kMalformed, concat({path, ": not an absolute path"})};
  std::deque<std::string> pending;
  for (const auto part : split(path, '/')) pending.emplace_back(part);
  Place place{prefix_, nullptr};
  int links = 0;
  while (!pending.empty()) {
    const std::string name = std::move(pending.front());
    pending.pop_front();
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      if (place.real.size() > prefix_.size()) place.real.erase(place.real.rfind('/'));
      continue;
    }
    const std::string next = place.real + "/" + name;
    const auto* barrier = mounts_.has_recorded_barriers() ? mounts_.barrier(next) : nullptr;
    if (barrier != nullptr) return remote_error(path, *barrier);
    place.overlay = overlay_of(next);
    if (place.overlay != nullptr && place.overlay->error) return *place.overlay->error;
    const auto target = !pending.empty() || follow ? link_at(next, place.overlay) : std::nullopt;
    if (!target) {
      place.real = next;
      continue;
    }
    if (++links > kMaxLinks) return Error{ErrorCode::kLoop, concat({path, ": too many symbolic links"})};
    if (is_within(next, prefix_ + "/proc") && !target->empty() && (*target)[0] == '/') {
      return Error{ErrorCode::kLoop, concat({path, ": a magic link of /proc"})};
    }
    if (!target->empty() && (*target)[0] == '/') place.real = prefix_;
    const auto parts = split(*target, '/');
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) pending.emplace_front(*part);
  }
  if (place.real.empty()) place.real = "/";
  return place;
}

Result<FileStat> CaptureFiles::stat_of_place(const Place& place) const {
  FileStat stat;
  const auto in_tree = tree_.lstat(place.real);
  const bool made = place.overlay != nullptr && place.overlay->type;
  if (!in_tree && !made && !is_folder_of_overlay(place.real)) return in_tree.error();
  if (in_tree) stat = *in_tree;
  if (!in_tree && !made) stat.type = FileType::kDirectory;
  as_captured(stat);
  if (place.overlay != nullptr) lay_over(*place.overlay, stat);
  return stat;
}

void CaptureFiles::as_captured(FileStat& stat) {
  const bool executable = (stat.mode & 0100U) != 0;
  stat.mode = stat.type == FileType::kDirectory || executable ? 0755 : 0644;
  if (stat.type == FileType::kSymlink) stat.mode = 0777;
  stat.uid = stat.gid = 0;
}

void CaptureFiles::lay_over(const CapturedPath& overlay, FileStat& stat) {
  if (overlay.type) stat.type = *overlay.type;
  if (overlay.mode) stat.mode = *overlay.mode;
  if (overlay.uid) stat.uid = *overlay.uid;
  if (overlay.gid) stat.gid = *overlay.gid;
  if (overlay.size) stat.size = *overlay.size;
  if (overlay.mtime) stat.mtime = *overlay.mtime;
  stat.device_major = overlay.device_major;
  stat.device_minor = overlay.device_minor;
}

void CaptureFiles::add_overlay_entries(const std::string& folder, std::vector<DirectoryEntry>& entries) const {
  const std::string prefix = folder == "/" ? "/" : folder + "/";
  const auto first = host_.paths.lower_bound(prefix);
  if (first == host_.paths.end() || !first->first.starts_with(prefix)) return;
  // By name, so that a folder of thousands stays cheap.
  std::map<std::string, FileType, std::less<>> types;
  for (auto& entry : entries) types.emplace(std::move(entry.name), entry.type);
  for (auto it = first; it != host_.paths.end() && it->first.starts_with(prefix); ++it) {
    const auto rest = std::string_view(it->first).substr(prefix.size());
    const auto slash = rest.find('/');
    if (slash != std::string_view::npos) {
      types.try_emplace(std::string(rest.substr(0, slash)), FileType::kDirectory);
    } else if (it->second.type) {
      types.insert_or_assign(std::string(rest), *it->second.type);
    } else if (it->second.error && it->second.error->code != ErrorCode::kNotFound) {
      types.try_emplace(std::string(rest), FileType::kUnknown);  // what cannot be read is listed all the same
    }
  }
  entries.clear();
  for (const auto& [name, type] : types) entries.push_back({name, type});
}

}  // namespace gpuharden
