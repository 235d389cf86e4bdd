// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/tree_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>

#include "engine/base/text.h"
#include "engine/host/file_capture.h"

namespace gpuharden {

// An open folder, and a name in it.
struct TreeWriter::Place {
  UniqueFd folder;
  std::string name;
  std::string path;  // for messages
};

namespace {

constexpr std::size_t kMountinfoCap = std::size_t{16} << 20U;
constexpr std::size_t kMaxName = 255;

Error refused(std::string_view path, std::string_view why) {
  return {ErrorCode::kUnsupported, concat({path, ": ", why, ", which is not changed"})};
}

std::string temporary_name(const std::string& name, std::string_view tag) {
  const std::string ending = concat({".gpuharden-", tag});
  return concat({".", name.substr(0, kMaxName - 1 - ending.size()), ending});
}

}  // namespace

Result<std::unique_ptr<TreeWriter>> TreeWriter::open(const std::string& root, WriteCalls& calls) {
  // Only a table that knows /proc can read what else is mounted.
  GH_ASSIGN_OR_RETURN(const auto here, RootFiles::open("/", MountTable::parse("1 1 0:1 / /proc rw - proc proc rw\n")));
  GH_ASSIGN_OR_RETURN(const FileBytes mountinfo, here->read("/proc/self/mountinfo", kMountinfoCap));
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(root.c_str(), nullptr), &::free);
  if (!real) return error_from_errno(errno, root);
  GH_ASSIGN_OR_RETURN(auto files, RootFiles::open(real.get(), MountTable::parse(mountinfo.bytes, real.get())));
  return std::unique_ptr<TreeWriter>(new TreeWriter(std::move(files), calls));
}

Result<TreeWriter::Place> TreeWriter::place_of(std::string_view path) const {
  const auto slash = path.rfind('/');
  std::string name(slash == std::string_view::npos ? path : path.substr(slash + 1));
  if (slash == std::string_view::npos || name.empty() || name == "." || name == "..")
    return Error{ErrorCode::kMalformed, concat({path, ": not an absolute path of a file"})};
  GH_ASSIGN_OR_RETURN(const UniqueFd folder, files_->open_path(folder_of(path)));
  UniqueFd open(::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!open) return error_from_errno(errno, folder_of(path));
  return Place{std::move(open), std::move(name), std::string(path)};
}

Result<std::string> TreeWriter::target_of(std::string_view path) const {
  auto real = files_->real_path(path);
  if (real || real.error().code != ErrorCode::kNotFound) return real;
  const auto link = files_->lstat(path);
  if (link && link->type == FileType::kSymlink)
    return Error{ErrorCode::kUnsupported, concat({path, ": a link that leads nowhere, which is not changed"})};
  return std::string(path);
}

Result<FileState> TreeWriter::capture(std::string_view path) const {
  const auto place = place_of(path);
  if (!place && place.error().code == ErrorCode::kNotFound) return no_file();
  if (!place) return place.error();
  return capture_file(place->folder.get(), place->name, place->path);
}

Status TreeWriter::may_change(std::string_view path) const {
  const auto place = place_of(path);
  if (!place && place.error().code == ErrorCode::kNotFound) return {};
  if (!place) return place.error();
  struct statvfs system {};
  if (::fstatvfs(place->folder.get(), &system) == 0 && (system.f_flag & ST_RDONLY) != 0)
    return refused(path, "it is on a read-only file system");
  struct statx raw {};
  if (::statx(place->folder.get(), place->name.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &raw) != 0) {
    if (errno == ENOENT) return {};
    return error_from_errno(errno, path);
  }
  const bool is_folder = S_ISDIR(raw.stx_mode);
  if (!is_folder && (raw.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0) return refused(path, "it is a bind mount");
  if ((raw.stx_attributes & STATX_ATTR_IMMUTABLE) != 0) return refused(path, "it is immutable (chattr +i)");
  if ((raw.stx_attributes & STATX_ATTR_APPEND) != 0) return refused(path, "it is append-only (chattr +a)");
  if (S_ISREG(raw.stx_mode) && raw.stx_nlink > 1)
    return refused(path, concat({"it has several links (", std::to_string(raw.stx_nlink), " names of one file)"}));
  return {};
}

Status TreeWriter::change(std::string_view path, const FileState& from, const FileState& to, std::string_view tag) {
  const auto place = place_of(path);
  if (!place) {
    // Where the folder is gone, the file is.
    const bool is_done = place.error().code == ErrorCode::kNotFound && !to.exists;
    return is_done ? Status() : Status(place.error());
  }
  GH_ASSIGN_OR_RETURN(const FileState current, capture_file(place->folder.get(), place->name, place->path));
  // A finished change may not be durable yet: the folder is synced again.
  if (is_same(current, to)) return calls_.sync(place->folder.get(), folder_of(path));
  if (progress_of(current, from, to) == Progress::kForeign) {
    return Error{ErrorCode::kStale,
                 concat({path, ": changed by someone else: ", join(differences(current, from), ", ")})};
  }
  if (!to.exists) return remove(*place, from);
  if (to.type == FileType::kDirectory) return make_folder(*place, to, current.exists);
  const bool same_contents = current.exists && current.type == to.type && current.bytes == to.bytes;
  if (same_contents) return adjust(*place, to);
  if (to.type != FileType::kRegular && to.type != FileType::kSymlink)
    return refused(path, concat({"it is a ", to_string(to.type)}));
  return replace(*place, to, temporary_name(place->name, tag));
}

Status TreeWriter::clean(std::string_view path, std::string_view tag) {
  const auto place = place_of(path);
  if (!place) return place.error().code == ErrorCode::kNotFound ? Status() : Status(place.error());
  const auto removed = calls_.unlink(place->folder.get(), temporary_name(place->name, tag));
  if (!removed && removed.error().code != ErrorCode::kNotFound) return removed;
  return {};
}

Status TreeWriter::append(std::string_view path, std::size_t length, std::string_view bytes) {
  GH_ASSIGN_OR_RETURN(const Place place, place_of(path));
  GH_ASSIGN_OR_RETURN(const UniqueFd file, calls_.open_to_append(place.folder.get(), place.name));
  GH_ASSIGN_OR_RETURN(const FileStat stat, stat_of(file.get(), path));
  if (stat.type != FileType::kRegular) return Error{ErrorCode::kNotRegular, concat({path, ": not a plain file"})};
  if (stat.size > length) GH_RETURN_IF_ERROR(calls_.truncate(file.get(), length, path));
  GH_RETURN_IF_ERROR(calls_.write(file.get(), bytes, path));
  return calls_.sync(file.get(), path);
}

Result<UniqueFd> TreeWriter::lock(std::string_view path, IfMissing if_missing) {
  GH_ASSIGN_OR_RETURN(const Place place, place_of(path));
  UniqueFd file(::openat(place.folder.get(), place.name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file && (errno != ENOENT || if_missing == IfMissing::kFail)) return error_from_errno(errno, path);
  if (!file) {
    GH_ASSIGN_OR_RETURN(file, calls_.create(place.folder.get(), place.name));
  }
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(file.get(), F_SETLK, &whole) == 0) return file;
  if (errno != EAGAIN && errno != EACCES) return error_from_errno(errno, path);
  const bool is_known = ::fcntl(file.get(), F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK && whole.l_pid > 0;
  return Error{ErrorCode::kUnsupported,
               concat({path, ": locked by ", is_known ? "process " + std::to_string(whole.l_pid) : "another process"})};
}

Result<std::uint64_t> TreeWriter::free_bytes(std::string_view path) const {
  GH_ASSIGN_OR_RETURN(const Place place, place_of(path));
  struct statvfs system {};
  if (::fstatvfs(place.folder.get(), &system) != 0) return error_from_errno(errno, path);
  return std::uint64_t{system.f_bavail} * system.f_frsize;
}

bool TreeWriter::is_empty_folder(std::string_view path) const {
  const auto entries = files_->list(path);
  return entries && entries->empty();
}

Status TreeWriter::replace(const Place& place, const FileState& to, const std::string& temporary) {
  const int folder = place.folder.get();
  // A killed change may have left one.
  if (auto removed = calls_.unlink(folder, temporary); !removed && removed.error().code != ErrorCode::kNotFound)
    return removed;
  if (auto filled = fill(place, to, temporary); !filled) {
    // The first error is told; a temporary file that stays is removed by clean().
    (void)calls_.unlink(folder, temporary).has_value();
    return filled;
  }
  GH_RETURN_IF_ERROR(calls_.rename(folder, temporary, place.name));
  return calls_.sync(folder, folder_of(place.path));
}

Status TreeWriter::fill(const Place& place, const FileState& to, const std::string& temporary) {
  const int folder = place.folder.get();
  if (to.type == FileType::kSymlink) {
    GH_RETURN_IF_ERROR(calls_.make_link(folder, temporary, to.bytes));
    const UniqueFd link(::openat(folder, temporary.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!link) return error_from_errno(errno, place.path);
    GH_RETURN_IF_ERROR(calls_.set_owner(link.get(), to.uid, to.gid, place.path));
    return to.modified == FileTime() ? Status() : calls_.set_modified(link.get(), to.modified, place.path);
  }
  GH_ASSIGN_OR_RETURN(const UniqueFd file, calls_.create(folder, temporary));
  GH_RETURN_IF_ERROR(calls_.write(file.get(), to.bytes, place.path));
  FileState created = new_file({}, 0600);
  created.uid = ::geteuid();
  created.gid = ~0U;  // may be the folder's: it is set in any case
  GH_ASSIGN_OR_RETURN(created.xattrs, read_xattrs(file.get(), place.path));
  GH_RETURN_IF_ERROR(adjust_open(file.get(), created, to, place.path));
  if (to.modified != FileTime()) GH_RETURN_IF_ERROR(calls_.set_modified(file.get(), to.modified, place.path));
  return calls_.sync(file.get(), place.path);
}

Status TreeWriter::adjust(const Place& place, const FileState& to) {
  const UniqueFd object(::openat(place.folder.get(), place.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (!object) return error_from_errno(errno, place.path);
  GH_ASSIGN_OR_RETURN(const FileState current, capture_file(place.folder.get(), place.name, place.path));
  GH_RETURN_IF_ERROR(adjust_open(object.get(), current, to, place.path));
  // Only a plain file can be synced without effects; nodes of /dev do not outlive a boot anyway.
  if (to.type != FileType::kRegular) return {};
  const UniqueFd file(::open(open_name(object.get()).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file) return error_from_errno(errno, place.path);
  return calls_.sync(file.get(), place.path);
}

// The owner first, for it takes set-id bits and capabilities away; the mode last, for an access control list
// is part of it.
Status TreeWriter::adjust_open(int file, const FileState& current, const FileState& to, const std::string& path) {
  const bool other_owner = current.uid != to.uid || current.gid != to.gid;
  if (other_owner) GH_RETURN_IF_ERROR(calls_.set_owner(file, to.uid, to.gid, path));
  if (to.type == FileType::kSymlink) return {};
  for (const auto& [name, value] : current.xattrs) {
    const bool stays = to.xattrs.contains(name) || name.starts_with("security.");
    if (!stays) GH_RETURN_IF_ERROR(calls_.remove_xattr(file, name, path));
  }
  for (const auto& [name, value] : to.xattrs) {
    const auto there = current.xattrs.find(name);
    const bool stays = there != current.xattrs.end() && there->second == value && !other_owner;
    if (!stays) GH_RETURN_IF_ERROR(calls_.set_xattr(file, name, value, path));
  }
  if (current.mode == to.mode && !other_owner && current.xattrs == to.xattrs) return {};
  return calls_.set_mode(file, to.mode, path);
}

Status TreeWriter::remove(const Place& place, const FileState& from) {
  const int folder = place.folder.get();
  GH_RETURN_IF_ERROR(from.type == FileType::kDirectory ? calls_.remove_folder(folder, place.name)
                                                       : calls_.unlink(folder, place.name));
  return calls_.sync(folder, folder_of(place.path));
}

Status TreeWriter::make_folder(const Place& place, const FileState& to, bool is_there) {
  if (!is_there) GH_RETURN_IF_ERROR(calls_.make_folder(place.folder.get(), place.name));
  const UniqueFd made(
      ::openat(place.folder.get(), place.name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!made) return error_from_errno(errno, place.path);
  GH_RETURN_IF_ERROR(calls_.set_owner(made.get(), to.uid, to.gid, place.path));
  GH_RETURN_IF_ERROR(calls_.set_mode(made.get(), to.mode, place.path));
  GH_RETURN_IF_ERROR(calls_.sync(made.get(), place.path));
  return calls_.sync(place.folder.get(), folder_of(place.path));
}

}  // namespace gpuharden
