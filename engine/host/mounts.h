// SPDX-License-Identifier: GPL-2.0-or-later
// Which file systems are mounted where, and which of them an audit may enter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct Mount {
  std::string point;  // absolute, without trailing slash but for "/"
  std::string fs_type;
  std::string source;
  std::string options;  // of the mount: "rw,nosuid,nodev"
  bool may_enter = true;
  bool operator==(const Mount&) const = default;
};

// Whether the kernel serves the file system by itself: reading it cannot wait for a server, a user
// process or an automounter. Types that are not known are not local.
bool is_local_file_system(std::string_view fs_type);

class MountTable {
 public:
  MountTable() = default;
  // Keeps mounts at or below `root`, their points relative to it; later mounts hide earlier ones
  // at the same point.
  static MountTable parse(std::string_view mountinfo, std::string_view root = "/");

  const std::vector<Mount>& mounts() const { return mounts_; }
  // The mount at exactly this path, or nullptr.
  const Mount* at(std::string_view path) const;
  // The deepest mount at or above this path, or nullptr.
  const Mount* covering(std::string_view path) const;
  // The outermost mount at or above this path that must not be entered, or nullptr. "/" itself
  // always may be: a diskless node has its root on NFS.
  const Mount* barrier(std::string_view path) const;
  // For the program's own files, wherever its user keeps them: every mount may be entered.
  void allow_all();
  // Adds the mounts of `recorded` that must not be entered: a tree's own /proc/self/mountinfo says
  // which of its folders were on a server when it was taken.
  void add_barriers(const MountTable& recorded);
  // Whether there are such: nothing is mounted there now, so the kernel does not keep links out.
  bool has_recorded_barriers() const { return has_recorded_barriers_; }

 private:
  void sort();
  std::vector<Mount> mounts_;  // sorted by point
  bool has_recorded_barriers_ = false;
};

// Whether `path` is `folder` or lies below it, by text.
bool is_within(std::string_view path, std::string_view folder);

}  // namespace gpuharden
