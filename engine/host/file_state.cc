// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/file_state.h"

#include <algorithm>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

FileState new_object(FileType type, std::string bytes, std::uint32_t mode) {
  FileState state;
  state.exists = true;
  state.type = type;
  state.bytes = std::move(bytes);
  state.mode = mode;
  return state;
}

bool is_either(const std::string* value, const std::string* a, const std::string* b) {
  const auto equal = [](const std::string* x, const std::string* y) {
    return x == nullptr || y == nullptr ? x == y : *x == *y;
  };
  return equal(value, a) || equal(value, b);
}

const std::string* find(const std::map<std::string, std::string>& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

// A label that the kernel gave to a new file by itself is no difference from a state that names none.
bool is_given_by_kernel(const std::string& name) {
  return name == "security.selinux" || name == "security.ima" || name == "security.evm";
}

bool are_same(const std::map<std::string, std::string>& a, const std::map<std::string, std::string>& b) {
  const auto covers = [](const auto& x, const auto& y) {
    return std::all_of(x.begin(), x.end(), [&](const auto& entry) {
      const auto* other = find(y, entry.first);
      return other == nullptr ? is_given_by_kernel(entry.first) : *other == entry.second;
    });
  };
  return covers(a, b) && covers(b, a);
}

// Changing mode, owner and attributes is several calls: each may have happened or not.
bool is_between(const FileState& current, const FileState& before, const FileState& after) {
  const auto either = [](auto value, auto a, auto b) { return value == a || value == b; };
  // A change of the owner takes the set-id bits away until the mode is set again.
  const bool mode_fits =
      either(current.mode, before.mode, after.mode) || either(current.mode, before.mode & 0777U, after.mode & 0777U);
  if (!mode_fits || !either(current.uid, before.uid, after.uid) || !either(current.gid, before.gid, after.gid))
    return false;
  for (const auto* map : {&current.xattrs, &before.xattrs, &after.xattrs}) {
    for (const auto& [name, value] : *map) {
      if (is_given_by_kernel(name)) continue;
      if (!is_either(find(current.xattrs, name), find(before.xattrs, name), find(after.xattrs, name))) return false;
    }
  }
  return true;
}

}  // namespace

FileState new_file(std::string bytes, std::uint32_t mode) {
  return new_object(FileType::kRegular, std::move(bytes), mode);
}
FileState new_folder(std::uint32_t mode) { return new_object(FileType::kDirectory, {}, mode); }
FileState new_link(std::string target) { return new_object(FileType::kSymlink, std::move(target), 0777); }

bool is_same(const FileState& a, const FileState& b) {
  if (!a.exists || !b.exists) return a.exists == b.exists;
  return a.type == b.type && a.bytes == b.bytes && a.mode == b.mode && a.uid == b.uid && a.gid == b.gid &&
         are_same(a.xattrs, b.xattrs);
}

Progress progress_of(const FileState& current, const FileState& before, const FileState& after) {
  if (is_same(current, before)) return Progress::kBefore;
  if (is_same(current, after)) return Progress::kAfter;
  const bool is_one_object = current.exists && before.exists && after.exists && before.type == after.type &&
                             before.bytes == after.bytes && current.type == before.type &&
                             current.bytes == before.bytes;
  if (is_one_object && is_between(current, before, after)) return Progress::kPartly;
  // A folder is made first and gets its mode and owner then.
  const bool is_new_folder =
      current.exists && !before.exists && current.type == FileType::kDirectory && after.type == FileType::kDirectory;
  return is_new_folder ? Progress::kPartly : Progress::kForeign;
}

std::vector<std::string> differences(const FileState& found, const FileState& expected) {
  if (found.exists != expected.exists) return {found.exists ? "is there now" : "is gone"};
  if (found.type != expected.type)
    return {concat({"is a ", to_string(found.type), " instead of a ", to_string(expected.type)})};
  std::vector<std::string> list;
  if (found.bytes != expected.bytes) list.emplace_back("other contents");
  if (found.mode != expected.mode)
    list.push_back(concat({"mode ", format_mode(found.mode), " instead of ", format_mode(expected.mode)}));
  if (found.uid != expected.uid || found.gid != expected.gid) {
    list.push_back(concat({"owner ", std::to_string(found.uid), ":", std::to_string(found.gid), " instead of ",
                           std::to_string(expected.uid), ":", std::to_string(expected.gid)}));
  }
  if (!are_same(found.xattrs, expected.xattrs)) list.emplace_back("other extended attributes");
  return list;
}

}  // namespace gpuharden
