// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/mounts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Sorted. What is missing is treated as remote: better a gap than a hang.
constexpr std::array<std::string_view, 45> kLocal = {
    "aufs",     "bcachefs", "binfmt_misc", "bpf",     "btrfs",   "cgroup",     "cgroup2",   "configfs", "cpuset",
    "cramfs",   "debugfs",  "devpts",      "devtmpfs", "ecryptfs", "efivarfs", "erofs",     "exfat",    "ext2",
    "ext3",     "ext4",     "f2fs",        "hugetlbfs", "iso9660", "jfs",      "mqueue",    "nilfs2",   "nsfs",
    "ntfs3",    "overlay",  "proc",        "pstore",  "ramfs",   "reiserfs",   "resctrl",   "rootfs",   "securityfs",
    "selinuxfs", "smackfs", "squashfs",    "sysfs",   "tmpfs",   "tracefs",    "udf",       "vfat",     "xfs",
};

// mountinfo writes blanks, tabs, newlines and backslashes as \ooo.
std::string unescape_octal(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digits = text.substr(i + 1, 3);
    const auto value = text[i] == '\\' && digits.size() == 3 ? parse_unsigned(digits, 8) : std::nullopt;
    out += value && *value < 256 ? static_cast<char>(*value) : text[i];
    if (value && *value < 256) i += 3;
  }
  return out;
}

// "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue"
bool parse_line(std::string_view line, Mount& mount) {
  const auto words = split_words(line);
  const auto dash = std::find(words.begin(), words.end(), "-");
  if (words.size() < 6 || dash - words.begin() < 6 || words.end() - dash < 3) return false;
  mount = {unescape_octal(words[4]), std::string(dash[1]), unescape_octal(dash[2]), std::string(words[5]),
           is_local_file_system(dash[1])};
  return !mount.point.empty() && mount.point[0] == '/';
}

}  // namespace

bool is_within(std::string_view path, std::string_view folder) {
  if (folder == "/") return true;
  return path.substr(0, folder.size()) == folder && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_local_file_system(std::string_view fs_type) {
  // ZFS is out of tree and still served by the kernel.
  return fs_type == "zfs" || std::binary_search(kLocal.begin(), kLocal.end(), fs_type);
}

namespace {

// The mounts of a table by id, and which mount each stands on.
class Ancestry {
 public:
  void add(std::string_view line) {
    const auto words = split_words(line);
    const auto id = words.size() > 1 ? parse_unsigned(words[0]) : std::nullopt;
    const auto parent = words.size() > 1 ? parse_unsigned(words[1]) : std::nullopt;
    if (id && parent) parents_[*id] = *parent;
  }
  bool stands_on(std::uint64_t id, std::uint64_t other) const {
    for (std::size_t steps = 0; steps <= parents_.size(); ++steps) {
      if (id == other) return true;
      const auto parent = parents_.find(id);
      if (parent == parents_.end() || parent->second == id) return false;
      id = parent->second;
    }
    return false;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> parents_;
};

std::uint64_t id_of(std::string_view line) { return parse_unsigned(split_words(line).front()).value_or(0); }

}  // namespace

MountTable MountTable::parse(std::string_view mountinfo, std::string_view root) {
  MountTable table;
  Ancestry ancestry;
  std::vector<std::uint64_t> ids;  // of the mounts in the table
  for (const auto line : split(mountinfo, '\n')) ancestry.add(line);
  for (const auto line : split(mountinfo, '\n')) {
    Mount mount;
    if (!parse_line(line, mount) || !is_within(mount.point, root)) continue;
    if (root != "/") mount.point.erase(0, root.size());
    if (mount.point.empty()) mount.point = "/";
    // A mount hides what was mounted below its point before, but for what stands on it: an initial
    // RAM disk mounts /proc and moves it onto a root whose line comes later.
    const auto id = id_of(line);
    for (std::size_t i = table.mounts_.size(); i-- > 0;) {
      if (!is_within(table.mounts_[i].point, mount.point) || ancestry.stands_on(ids[i], id)) continue;
      table.mounts_.erase(table.mounts_.begin() + static_cast<std::ptrdiff_t>(i));
      ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(i));
    }
    table.mounts_.push_back(std::move(mount));
    ids.push_back(id);
  }
  table.sort();
  return table;
}

void MountTable::sort() {
  std::sort(mounts_.begin(), mounts_.end(), [](const Mount& a, const Mount& b) { return a.point < b.point; });
}

void MountTable::allow_all() {
  for (auto& mount : mounts_) mount.may_enter = true;
}

void MountTable::add_barriers(const MountTable& recorded) {
  for (const auto& mount : recorded.mounts_) {
    if (mount.point == "/" || mount.may_enter || at(mount.point) != nullptr) continue;
    mounts_.push_back(mount);
    sort();
  }
}

const Mount* MountTable::at(std::string_view path) const {
  const auto found = std::lower_bound(mounts_.begin(), mounts_.end(), path,
                                      [](const Mount& mount, std::string_view p) { return mount.point < p; });
  return found != mounts_.end() && found->point == path ? &*found : nullptr;
}

const Mount* MountTable::covering(std::string_view path) const {
  for (;;) {
    if (const auto* mount = at(path.empty() ? "/" : path)) return mount;
    if (path.empty() || path == "/") return nullptr;
    path = path.substr(0, path.rfind('/'));
  }
}

const Mount* MountTable::barrier(std::string_view path) const {
  const Mount* outermost = nullptr;
  while (!path.empty() && path != "/") {
    const auto* mount = at(path);
    if (mount != nullptr && !mount->may_enter) outermost = mount;
    path = path.substr(0, path.rfind('/'));
  }
  return outermost;
}

}  // namespace gpuharden
