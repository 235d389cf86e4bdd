// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/apply/disk_model.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "engine/base/text.h"

namespace gpuharden::test {
namespace fs = std::filesystem;
namespace {

bool is_in_folder(const std::string& path, const std::string& folder) {
  return fs::path(path).parent_path() == fs::path(folder);
}

FileState made(FileType type, std::uint32_t mode, std::string bytes = {}) {
  FileState state;
  state.exists = true;
  state.type = type;
  state.mode = mode;
  state.bytes = std::move(bytes);
  return state;
}

}  // namespace

DiskModel::DiskModel(const std::map<std::string, FileState>& paths) {
  for (const auto& [path, state] : paths) names_[path] = std::make_shared<Inode>(Inode{state, state});
  durable_names_ = names_;
}

// Links between the two sets of names stay.
DiskModel::DiskModel(const DiskModel& other) {
  std::map<const Inode*, std::shared_ptr<Inode>> copies;
  const auto copy = [&](const std::shared_ptr<Inode>& inode) {
    auto& known = copies[inode.get()];
    if (!known) known = std::make_shared<Inode>(*inode);
    return known;
  };
  for (const auto& [path, inode] : other.names_) names_[path] = copy(inode);
  for (const auto& [path, inode] : other.durable_names_) durable_names_[path] = copy(inode);
}

// What was never synced comes back empty, with the mode that it was made with.
void DiskModel::create(const std::string& path, const FileState& state) {
  names_[path] = std::make_shared<Inode>(Inode{state, state});
}

void DiskModel::sync(const std::string& path) {
  if (const auto found = names_.find(path); found != names_.end()) found->second->durable = found->second->now;
  std::erase_if(durable_names_, [&](const auto& entry) { return is_in_folder(entry.first, path); });
  for (const auto& [name, inode] : names_) {
    if (!is_in_folder(name, path)) continue;
    durable_names_[name] = inode;
    // A link cannot be synced by itself: what it is goes to the disk with its folder.
    if (inode->now.type == FileType::kSymlink) inode->durable = inode->now;
  }
}

void DiskModel::rename(const std::string& from, const std::string& to) {
  names_[to] = names_.at(from);
  names_.erase(from);
}

void DiskModel::remove(const std::string& path) { names_.erase(path); }

std::map<std::string, FileState> DiskModel::everything() const {
  std::map<std::string, FileState> paths;
  for (const auto& [path, inode] : names_) paths[path] = inode->now;
  return paths;
}

std::map<std::string, FileState> DiskModel::durable() const {
  std::map<std::string, FileState> paths;
  for (const auto& [path, inode] : durable_names_) {
    const std::string parent = fs::path(path).parent_path();
    // Sorted by path: a folder comes before what is in it.
    if (parent == "/" || paths.contains(parent)) paths[path] = inode->durable;
  }
  return paths;
}

std::string RecordingCalls::path_of(int file) const {
  const std::string full = fs::read_symlink("/proc/self/fd/" + std::to_string(file));
  return full == root_ ? "/" : full.substr(root_.size());
}

std::string RecordingCalls::path_in(int folder, const std::string& name) const {
  const std::string path = path_of(folder);
  return path == "/" ? "/" + name : path + "/" + name;
}

Status RecordingCalls::remember(std::string change, Status done) {
  if (!done) throw std::logic_error(change + ": " + done.error().message);
  moments_.push_back({std::move(change), model_.everything(), model_.durable()});
  return {};
}

Result<UniqueFd> RecordingCalls::create(int folder, const std::string& name) {
  auto file = WriteCalls::create(folder, name);
  model_.create(path_in(folder, name), made(FileType::kRegular, 0600));
  (void)remember("create " + name, {}).has_value();
  return file;
}
// Half of it may have reached the file.
Status RecordingCalls::write(int file, std::string_view bytes, std::string_view what) {
  const std::string path = path_of(file);
  const auto half = bytes.size() / 2;
  model_.at(path).bytes += bytes.substr(0, half);
  (void)remember("write half of " + path, {}).has_value();
  model_.at(path).bytes += bytes.substr(half);
  return remember("write " + path, WriteCalls::write(file, bytes, what));
}
Status RecordingCalls::truncate(int file, std::uint64_t size, std::string_view what) {
  model_.at(path_of(file)).bytes.resize(size);
  return remember("truncate", WriteCalls::truncate(file, size, what));
}
Status RecordingCalls::sync(int file, std::string_view) {
  model_.sync(path_of(file));
  return remember("fsync " + path_of(file), {});
}
Status RecordingCalls::rename(int folder, const std::string& from, const std::string& to) {
  model_.rename(path_in(folder, from), path_in(folder, to));
  return remember("rename to " + to, WriteCalls::rename(folder, from, to));
}
Status RecordingCalls::unlink(int folder, const std::string& name) {
  auto done = WriteCalls::unlink(folder, name);
  if (!done) return done;
  model_.remove(path_in(folder, name));
  return remember("unlink " + name, {});
}
Status RecordingCalls::make_folder(int folder, const std::string& name) {
  auto done = WriteCalls::make_folder(folder, name);
  if (!done) return done;
  model_.create(path_in(folder, name), made(FileType::kDirectory, 0700));
  return remember("mkdir " + name, {});
}
Status RecordingCalls::remove_folder(int folder, const std::string& name) {
  model_.remove(path_in(folder, name));
  return remember("rmdir " + name, WriteCalls::remove_folder(folder, name));
}
Status RecordingCalls::make_link(int folder, const std::string& name, const std::string& target) {
  model_.create(path_in(folder, name), made(FileType::kSymlink, 0777, target));
  return remember("symlink " + name, WriteCalls::make_link(folder, name, target));
}
Status RecordingCalls::set_mode(int file, std::uint32_t mode, std::string_view what) {
  model_.at(path_of(file)).mode = mode;
  return remember("chmod", WriteCalls::set_mode(file, mode, what));
}
Status RecordingCalls::set_owner(int file, std::uint32_t uid, std::uint32_t gid, std::string_view what) {
  auto& state = model_.at(path_of(file));
  state.uid = uid;
  state.gid = gid;
  if (state.type == FileType::kRegular) state.mode &= 0777U;
  return remember("chown", WriteCalls::set_owner(file, uid, gid, what));
}
Status RecordingCalls::set_xattr(int file, const std::string& name, std::string_view value, std::string_view what) {
  model_.at(path_of(file)).xattrs[name] = value;
  return remember("setxattr", WriteCalls::set_xattr(file, name, value, what));
}
Status RecordingCalls::remove_xattr(int file, const std::string& name, std::string_view what) {
  model_.at(path_of(file)).xattrs.erase(name);
  return remember("removexattr", WriteCalls::remove_xattr(file, name, what));
}
Status RecordingCalls::set_modified(int file, FileTime time, std::string_view what) {
  model_.at(path_of(file)).modified = time;
  return remember("utimensat", WriteCalls::set_modified(file, time, what));
}

void write_tree(const std::string& root, const std::map<std::string, FileState>& paths) {
  fs::remove_all(root);
  fs::create_directories(root);
  for (const auto& [path, state] : paths) {
    const std::string full = root + path;
    if (state.type == FileType::kDirectory) fs::create_directory(full);
    if (state.type == FileType::kSymlink) fs::create_symlink(state.bytes, full);
    if (state.type == FileType::kRegular) std::ofstream(full) << state.bytes;
    if (::lchown(full.c_str(), state.uid, state.gid) != 0) throw std::runtime_error(full);
    if (state.type != FileType::kSymlink) ::chmod(full.c_str(), state.mode);
    for (const auto& [name, value] : state.xattrs)
      ::setxattr(full.c_str(), name.c_str(), value.data(), value.size(), 0);
    const timespec times[2] = {{0, UTIME_OMIT}, {state.modified.seconds, state.modified.nanoseconds}};
    ::utimensat(AT_FDCWD, full.c_str(), times, AT_SYMLINK_NOFOLLOW);
  }
}

}  // namespace gpuharden::test
