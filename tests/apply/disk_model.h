// SPDX-License-Identifier: GPL-2.0-or-later
// What a disk holds when the power goes: every change, or only what fsync() of files and of folders made durable.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/host/file_state.h"
#include "engine/host/write_calls.h"
#include "tests/apply/machine.h"

namespace gpuharden::test {

// A file's, link's or folder's own state, in memory and on the disk.
struct Inode {
  FileState now, durable;
};
using Names = std::map<std::string, std::shared_ptr<Inode>>;

class DiskModel {
 public:
  // Everything in it is durable.
  explicit DiskModel(const std::map<std::string, FileState>& paths);
  DiskModel(const DiskModel& other);
  DiskModel& operator=(const DiskModel&) = delete;

  void create(const std::string& path, const FileState& state);
  FileState& at(const std::string& path) { return names_.at(path)->now; }
  void sync(const std::string& path);
  void rename(const std::string& from, const std::string& to);
  void remove(const std::string& path);

  std::map<std::string, FileState> everything() const;
  std::map<std::string, FileState> durable() const;

 private:
  Names names_, durable_names_;
};

// The real calls; each is played on a model as well, and the disk after each is remembered.
class RecordingCalls final : public WriteCalls {
 public:
  RecordingCalls(std::string root, DiskModel& model) : root_(std::move(root)), model_(model) {}
  // The disk after each change: with all of them, and with what is durable.
  struct Moment {
    std::string change;
    std::map<std::string, FileState> everything, durable;
  };
  const std::vector<Moment>& moments() const { return moments_; }

  Result<UniqueFd> create(int folder, const std::string& name) override;
  Status write(int file, std::string_view bytes, std::string_view what) override;
  Status truncate(int file, std::uint64_t size, std::string_view what) override;
  Status sync(int file, std::string_view what) override;
  Status rename(int folder, const std::string& from, const std::string& to) override;
  Status unlink(int folder, const std::string& name) override;
  Status make_folder(int folder, const std::string& name) override;
  Status remove_folder(int folder, const std::string& name) override;
  Status make_link(int folder, const std::string& name, const std::string& target) override;
  Status set_mode(int file, std::uint32_t mode, std::string_view what) override;
  Status set_owner(int file, std::uint32_t uid, std::uint32_t gid, std::string_view what) override;
  Status set_xattr(int file, const std::string& name, std::string_view value, std::string_view what) override;
  Status remove_xattr(int file, const std::string& name, std::string_view what) override;
  Status set_modified(int file, FileTime time, std::string_view what) override;

 private:
  // The path inside the root of what is open.
  std::string path_of(int file) const;
  std::string path_in(int folder, const std::string& name) const;
  Status remember(std::string change, Status done);
  std::string root_;
  DiskModel& model_;
  std::vector<Moment> moments_;
};

// Makes the tree anew from what a disk holds.
void write_tree(const std::string& root, const std::map<std::string, FileState>& paths);

}  // namespace gpuharden::test
