// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/mounts.h"

#include <algorithm>
#include <array>
#include <map>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Sorted. What is missing is treated as remote: better a gap than a hang.
constexpr std::array<std::string_view, 45> kLocal = {
    "aufs",      "bcachefs", "binfmt_misc", "bpf",       "btrfs",    "cgroup",   "cgroup2", "configfs", "cpuset",
    "cramfs",    "debugfs",  "devpts",      "devtmpfs",  "ecryptfs", "efivarfs", "erofs",   "exfat",    "ext2",
    "ext3",      "ext4",     "f2fs",        "hugetlbfs", "iso9660",  "jfs",      "mqueue",  "nilfs2",   "nsfs",
    "ntfs3",     "overlay",  "proc",        "pstore",    "ramfs",    "reiserfs", "resctrl", "rootfs",   "securityfs",
    "selinuxfs", "smackfs",  "squashfs",    "sysfs",     "tmpfs",    "tracefs",  "udf",     "vfat",     "xfs",
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

using MountId = std::uint64_t;

MountId id_of(std::string_view word) { return parse_unsigned(word).value_or(0); }

std::map<MountId, MountId> parents_of(std::string_view mountinfo) {
  std::map<MountId, MountId> parents;
  for (const auto line : split(mountinfo, '\n')) {
    const auto words = split_words(line);
    if (words.size() > 2) parents[id_of(words[0])] = id_of(words[1]);
  }
  return parents;
}

// Whether `mount` hangs below `other`, at whatever distance.
bool is_child(const std::map<MountId, MountId>& parents, MountId mount, MountId other) {
  constexpr int kMaxDepth = 64;
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    const auto parent = parents.find(mount);
    if (parent == parents.end() || parent->second == mount) return false;
    mount = parent->second;
    if (mount == other) return true;
  }
  return false;
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

MountTable MountTable::parse(std::string_view mountinfo, std::string_view root) {
  MountTable table;
  std::vector<MountId> ids;
  const auto parents = parents_of(mountinfo);
  for (const auto line : split(mountinfo, '\n')) {
    Mount mount;
    if (!parse_line(line, mount) || !is_within(mount.point, root)) continue;
    if (root != "/") mount.point.erase(0, root.size());
    if (mount.point.empty()) mount.point = "/";
    const auto id = id_of(split_words(line)[0]);
    // A mount hides what was mounted at or below its point before, but not its own children, which
    // the kernel may list first.
    for (std::size_t i = ids.size(); i > 0; --i) {
      const auto at = static_cast<std::ptrdiff_t>(i - 1);
      if (!is_within(table.mounts_[i - 1].point, mount.point) || is_child(parents, ids[i - 1], id)) continue;
      table.mounts_.erase(table.mounts_.begin() + at);
      ids.erase(ids.begin() + at);
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
    has_recorded_barriers_ = true;
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
