// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/root_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <deque>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr int kMaxLinks = 40;
constexpr std::size_t kScratchBytes = std::size_t{64} << 10U;
constexpr std::size_t kMaxEntries = 1000000;
constexpr long kProcMagic = 0x9fa0;

int open_beneath(int folder, const std::string& path, int flags, std::uint64_t resolve) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags) | O_CLOEXEC;
  how.resolve = resolve;
  return static_cast<int>(::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how));
}

FileType type_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return FileType::kRegular;
    case S_IFDIR: return FileType::kDirectory;
    case S_IFLNK: return FileType::kSymlink;
    case S_IFCHR: return FileType::kCharacterDevice;
    case S_IFBLK: return FileType::kBlockDevice;
    case S_IFIFO: return FileType::kFifo;
    case S_IFSOCK: return FileType::kSocket;
    default: return FileType::kUnknown;
  }
}

FileType type_of_entry(unsigned char type) {
  switch (type) {
    case DT_REG: return FileType::kRegular;
    case DT_DIR: return FileType::kDirectory;
    case DT_LNK: return FileType::kSymlink;
    case DT_CHR: return FileType::kCharacterDevice;
    case DT_BLK: return FileType::kBlockDevice;
    case DT_FIFO: return FileType::kFifo;
    case DT_SOCK: return FileType::kSocket;
    default: return FileType::kUnknown;
  }
}

std::string descriptor_path(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

// Of the link `name` in an open folder, or of the open link itself when `name` is empty.
Result<std::string> link_text(int fd, const std::string& name, std::string_view path) {
  std::string text(256, '\0');
  for (;;) {
    const auto length = ::readlinkat(fd, name.c_str(), text.data(), text.size());
    if (length < 0) return error_from_errno(errno, name.empty() ? std::string(path) : concat({path, "/", name}));
    if (static_cast<std::size_t>(length) < text.size()) {
      text.resize(static_cast<std::size_t>(length));
      return text;
    }
    if (text.size() > 65536) return Error{ErrorCode::kTooLarge, concat({path, ": link text too long"})};
    text.resize(text.size() * 2);
  }
}

// Absolute links in /proc lead to other processes' worlds, whatever their text says.
bool is_magic(int fd, std::string_view text) {
  struct statfs fs {};
  return !text.empty() && text[0] == '/' && ::fstatfs(fd, &fs) == 0 && fs.f_type == kProcMagic;
}

}  // namespace

Error remote_error(std::string_view path, const Mount& mount) {
  return {ErrorCode::kRemote, concat({path, ": is on ", mount.fs_type, " (", mount.point, ") and was not entered"})};
}

namespace {

FileStat from_statx(const struct statx& raw) {
  FileStat stat;
  stat.type = type_of(raw.stx_mode);
  stat.mode = raw.stx_mode & 07777U;
  stat.uid = raw.stx_uid;
  stat.gid = raw.stx_gid;
  stat.device_major = raw.stx_rdev_major;
  stat.device_minor = raw.stx_rdev_minor;
  stat.size = raw.stx_size;
  stat.mtime = raw.stx_mtime.tv_sec;
  stat.inode = raw.stx_ino;
  stat.links = raw.stx_nlink;
  return stat;
}

}  // namespace

Result<FileStat> stat_of(int fd, std::string_view path) {
  struct statx raw {};
  if (::statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &raw) != 0) return error_from_errno(errno, path);
  return from_statx(raw);
}

Result<std::unique_ptr<RootFiles>> RootFiles::open(const std::string& folder, MountTable mounts) {
  UniqueFd fd(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return error_from_errno(errno, folder);
  return std::make_unique<RootFiles>(std::move(fd), std::move(mounts));
}

// One openat2 where no mount is crossed, or from the deepest mount above the path. On failure the
// descriptor is empty and errno says why.
Result<UniqueFd> RootFiles::open_fast(std::string_view path, int flags, std::uint64_t more_resolve) const {
  const auto* mount = mounts_.covering(path);
  int folder = root_.get();
  std::uint64_t resolve = RESOLVE_IN_ROOT;
  std::string rest(path.substr(1));
  if (mount != nullptr && mount->point != "/") {
    auto fd = mount_fd(*mount);
    if (!fd) return fd.error();
    folder = *fd;
    // An absolute link would mean the mount's own top here: refuse, and let walk() resolve it.
    resolve = RESOLVE_BENEATH;
    rest = path.size() > mount->point.size() ? std::string(path.substr(mount->point.size() + 1)) : ".";
  }
  if (rest.empty()) rest = ".";
  return UniqueFd(open_beneath(folder, rest, flags, resolve | more_resolve | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV));
}

Result<int> RootFiles::mount_fd(const Mount& mount) const {
  const auto known = mount_fds_.find(mount.point);
  if (known != mount_fds_.end()) return known->second.get();
  auto fd = walk(mount.point, 0, nullptr);
  if (!fd) return fd.error();
  return mount_fds_.emplace(mount.point, std::move(fd).value()).first->second.get();
}

Result<UniqueFd> RootFiles::open_at(std::string_view path, int extra_flags, std::string* real) const {
  if (path.empty() || path[0] != '/') return Error{ErrorCode::kMalformed, concat({path, ": not an absolute path"})};
  if (path.find('\0') != std::string_view::npos) return Error{ErrorCode::kMalformed, "a path with a NUL byte"};
  if (const auto* barrier = mounts_.barrier(path)) return remote_error(path, *barrier);
  if (real == nullptr && kernel_keeps_out(path)) {
    GH_ASSIGN_OR_RETURN(UniqueFd fd, open_fast(path, O_PATH | extra_flags, 0));
    if (fd) return fd;
    if (errno != EXDEV) return error_from_errno(errno, path);
  }
  return walk(path, extra_flags, real);
}

bool RootFiles::may_open_at_once(std::string_view path) const {
  const bool is_plain = path.size() > 1 && path[0] == '/' && path.find('\0') == std::string_view::npos;
  return is_plain && kernel_keeps_out(path) && mounts_.barrier(path) == nullptr;
}

bool RootFiles::kernel_keeps_out(std::string_view path) const {
  return !mounts_.has_recorded_barriers() && path.find("/..") == std::string_view::npos;
}

namespace {

struct Step {
  std::string name;
  UniqueFd fd;
};

// Opens one component; crosses into a mount only where the table knows a local one.
Result<UniqueFd> open_component(int folder, const std::string& name, const std::string& full,
                                const MountTable& mounts) {
  const auto* mount = mounts.at(full);
  if (mount != nullptr && !mount->may_enter) return remote_error(full, *mount);
  const std::uint64_t resolve = RESOLVE_NO_MAGICLINKS | (mount == nullptr ? RESOLVE_NO_XDEV : 0);
  UniqueFd fd(open_beneath(folder, name, O_PATH | O_NOFOLLOW, resolve));
  if (fd) return fd;
  if (errno == EXDEV)
    return Error{ErrorCode::kRemote, concat({full, ": something is mounted there and was not entered"})};
  return error_from_errno(errno, full);
}

void push_front(std::deque<std::string>& pending, std::string_view path) {
  const auto parts = split(path, '/');
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) pending.emplace_front(*part);
}

std::string path_of(const std::vector<Step>& steps) {
  std::string path;
  for (const auto& step : steps) path += "/" + step.name;
  return path.empty() ? "/" : path;
}

}  // namespace

// Component by component, links resolved by us, where mounts are crossed or the real path is asked.
Result<UniqueFd> RootFiles::walk(std::string_view path, int extra_flags, std::string* real) const {
  std::deque<std::string> pending;
  push_front(pending, path);
  std::vector<Step> steps;
  int links = 0;
  while (!pending.empty()) {
    const std::string name = std::move(pending.front());
    pending.pop_front();
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      if (!steps.empty()) steps.pop_back();
      continue;
    }
    const int folder = steps.empty() ? root_.get() : steps.back().fd.get();
    const std::string full = (steps.empty() ? "" : path_of(steps)) + "/" + name;
    auto fd = open_component(folder, name, full, mounts_);
    if (!fd) return fd.error();
    GH_ASSIGN_OR_RETURN(const FileStat stat, stat_of(fd->get(), full));
    const bool follow = !pending.empty() || (extra_flags & O_NOFOLLOW) == 0;
    if (stat.type != FileType::kSymlink || !follow) {
      steps.push_back({name, std::move(*fd)});
      continue;
    }
    GH_ASSIGN_OR_RETURN(const std::string target, link_text(fd->get(), "", full));
    if (++links > kMaxLinks) return Error{ErrorCode::kLoop, concat({path, ": too many symbolic links"})};
    if (is_magic(fd->get(), target)) return Error{ErrorCode::kLoop, concat({full, ": a magic link of /proc"})};
    if (!target.empty() && target[0] == '/') steps.clear();
    push_front(pending, target);
  }
  if (real != nullptr) *real = path_of(steps);
  if (!steps.empty()) return std::move(steps.back().fd);
  UniqueFd root(::fcntl(root_.get(), F_DUPFD_CLOEXEC, 0));
  if (!root) return error_from_errno(errno, path);
  return root;
}

Result<FileStat> RootFiles::stat(std::string_view path) const {
  // Most paths are no links, and then one call says it.
  auto stat = lstat_in_parent(path);
  const bool is_final = stat && (*stat ? (*stat)->type != FileType::kSymlink : true);
  if (is_final) return std::move(*stat);
  GH_ASSIGN_OR_RETURN(const UniqueFd fd, open_at(path, 0, nullptr));
  return stat_of(fd.get(), path);
}

// Where a path's last component lies: an open folder, or that there is no such folder.
struct RootFiles::Parent {
  Result<int> folder;
  std::string name;
};

std::optional<RootFiles::Parent> RootFiles::parent_of(std::string_view path) const {
  if (!may_open_at_once(path)) return std::nullopt;
  const auto slash = path.rfind('/');
  std::string name(path.substr(slash + 1));
  if (name.empty() || name == ".") return std::nullopt;
  const auto folder = slash == 0 ? std::string_view("/") : path.substr(0, slash);
  return Parent{folders_.get(folder, [this](auto place) { return open_at(place, 0, nullptr); }), std::move(name)};
}

// A mount that appeared since the mount table was read is seen by what the kernel says of the object: it was
// not asked to refresh anything (AT_STATX_DONT_SYNC), so even a server that never answers costs nothing.
std::optional<Result<FileStat>> RootFiles::lstat_in_parent(std::string_view path) const {
  const auto parent = parent_of(path);
  if (!parent) return std::nullopt;
  if (!parent->folder) {
    if (parent->folder.error().code != ErrorCode::kNotFound) return std::nullopt;
    return error_from_errno(ENOENT, path);
  }
  constexpr int kFlags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
  struct statx raw {};
  if (::statx(*parent->folder, parent->name.c_str(), kFlags, STATX_BASIC_STATS, &raw) != 0) {
    if (errno == ENOSYS) return std::nullopt;
    return error_from_errno(errno, path);
  }
  if ((raw.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) == 0) return std::nullopt;
  if ((raw.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0) return std::nullopt;
  return from_statx(raw);
}

Result<FileStat> RootFiles::lstat(std::string_view path) const {
  if (auto stat = lstat_in_parent(path)) return std::move(*stat);
  GH_ASSIGN_OR_RETURN(const UniqueFd fd, open_at(path, O_NOFOLLOW, nullptr));
  return stat_of(fd.get(), path);
}

Result<std::string> RootFiles::read_link(std::string_view path) const {
  if (const auto parent = parent_of(path); parent && parent->folder) {
    auto text = link_text(*parent->folder, parent->name, path.substr(0, path.rfind('/')));
    // What is no link is for the walk below to say.
    if (text || text.error().code == ErrorCode::kNotFound) return text;
  }
  GH_ASSIGN_OR_RETURN(const UniqueFd fd, open_at(path, O_NOFOLLOW, nullptr));
  return link_text(fd.get(), "", path);
}

Result<std::string> RootFiles::real_path(std::string_view path) const {
  std::string real;
  GH_ASSIGN_OR_RETURN(const UniqueFd fd, open_at(path, 0, &real));
  return real;
}

// Opening a device can have effects, so what a path names is looked at before it is opened for
// reading. Without a link on the way that is not needed: only root could have put a device there.
Result<UniqueFd> RootFiles::open_for_reading(std::string_view path, FileStat& stat) const {
  constexpr int kFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  if (may_open_at_once(path)) {
    GH_ASSIGN_OR_RETURN(UniqueFd fd, open_fast(path, kFlags, RESOLVE_NO_SYMLINKS));
    if (!fd && (errno == ENOENT || errno == ENOTDIR || errno == EACCES)) return error_from_errno(errno, path);
    if (fd) {
      GH_ASSIGN_OR_RETURN(stat, stat_of(fd.get(), path));
      return fd;
    }
  }
  GH_ASSIGN_OR_RETURN(const UniqueFd place, open_at(path, 0, nullptr));
  GH_ASSIGN_OR_RETURN(stat, stat_of(place.get(), path));
  if (stat.type != FileType::kRegular) return UniqueFd();
  UniqueFd fd(::open(descriptor_path(place.get()).c_str(), kFlags));
  if (!fd) return error_from_errno(errno, path);
  return fd;
}

Result<FileBytes> RootFiles::read(std::string_view path, std::size_t cap) const {
  FileStat stat;
  GH_ASSIGN_OR_RETURN(const UniqueFd fd, open_for_reading(path, stat));
  return read_open(fd, stat, path, cap);
}

Result<FileBytes> RootFiles::read_plain(std::string_view path, std::size_t cap) const {
  GH_ASSIGN_OR_RETURN(const UniqueFd fd, open_fast(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, RESOLVE_NO_SYMLINKS));
  if (!fd) return error_from_errno(errno, path);
  GH_ASSIGN_OR_RETURN(const FileStat stat, stat_of(fd.get(), path));
  return read_open(fd, stat, path, cap);
}

Result<FileBytes> RootFiles::read_open(const UniqueFd& fd, const FileStat& stat, std::string_view path,
                                       std::size_t cap) const {
  FileBytes file;
  file.stat = stat;
  if (file.stat.type != FileType::kRegular) {
    return Error{ErrorCode::kNotRegular, concat({path, ": is a ", to_string(file.stat.type), ", not a regular file"})};
  }
  if (!scratch_) scratch_ = std::make_unique_for_overwrite<char[]>(kScratchBytes);
  if (file.stat.size >= kScratchBytes) file.bytes.reserve(std::min<std::size_t>(file.stat.size, cap) + 1);
  for (;;) {
    const auto wanted = std::min(kScratchBytes, cap + 1 - file.bytes.size());
    const auto count = ::read(fd.get(), scratch_.get(), wanted);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return error_from_errno(errno, path);
    file.bytes.append(scratch_.get(), static_cast<std::size_t>(count));
    if (file.bytes.size() > cap) break;
    // A file that says its size has ended with a short read; /proc says 0, and ends with an empty one.
    const bool has_ended = count == 0 || (file.stat.size > 0 && static_cast<std::size_t>(count) < wanted);
    if (has_ended) return file;
  }
  file.bytes.resize(cap);
  file.truncated = true;
  return file;
}

// An open descriptor of the folder: nothing but looking can be done with it.
Result<UniqueFd> RootFiles::open_folder(std::string_view path) const {
  if (may_open_at_once(path)) {
    GH_ASSIGN_OR_RETURN(UniqueFd fd, open_fast(path, O_RDONLY | O_DIRECTORY, 0));
    if (fd) return fd;
    if (errno != EXDEV) return error_from_errno(errno, path);
  }
  GH_ASSIGN_OR_RETURN(const UniqueFd place, open_at(path, O_DIRECTORY, nullptr));
  UniqueFd fd(open_beneath(place.get(), ".", O_RDONLY | O_DIRECTORY, RESOLVE_NO_XDEV));
  if (!fd) return error_from_errno(errno, path);
  return fd;
}

// The kernel's records as they are: readdir() would look at the descriptor twice more.
Result<std::vector<DirectoryEntry>> RootFiles::list_open(const UniqueFd& fd, std::string_view path) const {
  if (!scratch_) scratch_ = std::make_unique_for_overwrite<char[]>(kScratchBytes);
  std::vector<DirectoryEntry> entries;
  for (;;) {
    const auto count = ::syscall(SYS_getdents64, fd.get(), scratch_.get(), kScratchBytes);
    if (count < 0) return error_from_errno(errno, path);
    if (count == 0) break;
    for (long at = 0; at < count;) {
      dirent64 record;
      std::memcpy(&record, scratch_.get() + at, offsetof(dirent64, d_name));
      const std::string_view name = scratch_.get() + at + offsetof(dirent64, d_name);
      at += record.d_reclen;
      if (name == "." || name == "..") continue;
      if (entries.size() >= kMaxEntries)
        return Error{ErrorCode::kTooLarge, concat({path, ": more than a million entries"})};
      entries.push_back({std::string(name), type_of_entry(record.d_type)});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const auto& x, const auto& y) { return x.name < y.name; });
  return entries;
}

Result<std::vector<DirectoryEntry>> RootFiles::list(std::string_view path) const {
  GH_ASSIGN_OR_RETURN(const UniqueFd fd, open_folder(path));
  return list_open(fd, path);
}

Result<std::vector<LinkEntry>> RootFiles::links(std::string_view folder) const {
  GH_ASSIGN_OR_RETURN(const UniqueFd fd, open_folder(folder));
  GH_ASSIGN_OR_RETURN(const auto entries, list_open(fd, folder));
  std::vector<LinkEntry> out;
  out.reserve(entries.size());
  for (const auto& entry : entries) out.push_back({entry.name, link_text(fd.get(), entry.name, folder)});
  return out;
}

Result<std::string> RootFiles::xattr(std::string_view path, const char* name) const {
  GH_ASSIGN_OR_RETURN(const UniqueFd fd, open_at(path, 0, nullptr));
  const std::string place = descriptor_path(fd.get());
  std::string bytes(256, '\0');
  auto length = ::getxattr(place.c_str(), name, bytes.data(), bytes.size());
  if (length < 0 && errno == ERANGE) {
    bytes.resize(65536);  // the kernel's own limit
    length = ::getxattr(place.c_str(), name, bytes.data(), bytes.size());
  }
  if (length < 0 && (errno == ENODATA || errno == EOPNOTSUPP)) {
    return Error{ErrorCode::kNotFound, concat({path, ": no ", name})};
  }
  if (length < 0) return error_from_errno(errno, path);
  bytes.resize(static_cast<std::size_t>(length));
  return bytes;
}

Result<LibraryPath> RootFiles::library_path(std::string_view path) const {
  GH_ASSIGN_OR_RETURN(UniqueFd fd, open_at(path, 0, nullptr));
  GH_ASSIGN_OR_RETURN(const FileStat stat, stat_of(fd.get(), path));
  if (stat.type != FileType::kRegular) {
    return Error{ErrorCode::kNotRegular, concat({path, ": is a ", to_string(stat.type), ", not a regular file"})};
  }
  std::string name = descriptor_path(fd.get());
  return LibraryPath{std::move(fd), std::move(name)};
}

}  // namespace gpuharden
