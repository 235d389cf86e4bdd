// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/path_trust.h"

#include <algorithm>
#include <cstring>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::uint32_t kSticky = 01000;

// The xattr of a POSIX ACL: a version, then entries of tag, permissions and id, little-endian.
struct AclEntry {
  std::uint16_t tag;
  std::uint16_t permissions;
  std::uint32_t id;
};
constexpr std::uint16_t kAclUser = 0x02;
constexpr std::uint16_t kAclGroup = 0x08;
constexpr std::uint16_t kAclMask = 0x10;
constexpr std::uint16_t kAclWrite = 0x2;

// "user 1004" of the first named entry with effective write permission.
Result<std::optional<std::string>> acl_writer(const Files& files, const std::string& path) {
  const auto bytes = files.xattr(path, "system.posix_acl_access");
  if (!bytes && bytes.error().code == ErrorCode::kNotFound) return std::optional<std::string>();
  if (!bytes) return bytes.error();
  std::optional<std::string> writer;
  bool masked = false;
  for (std::size_t at = 4; at + sizeof(AclEntry) <= bytes->size(); at += sizeof(AclEntry)) {
    AclEntry entry{};
    std::memcpy(&entry, bytes->data() + at, sizeof entry);
    const bool writes = (entry.permissions & kAclWrite) != 0;
    if (entry.tag == kAclMask) masked = !writes;
    if (writes && !writer && entry.tag == kAclUser && entry.id != 0) writer = "user " + std::to_string(entry.id);
    if (writes && !writer && entry.tag == kAclGroup && entry.id != 0) writer = "group " + std::to_string(entry.id);
  }
  return masked ? std::optional<std::string>() : writer;
}

Result<std::optional<std::string>> reason(const Files& files, const std::string& path, const FileStat& stat,
                                          std::optional<std::uint32_t> also_trusted, bool next_is_trusted) {
  const bool protects_entries = stat.type == FileType::kDirectory && (stat.mode & kSticky) != 0 && next_is_trusted;
  if (stat.uid != 0 && stat.uid != also_trusted) {
    return std::optional(concat({path, " belongs to uid ", std::to_string(stat.uid)}));
  }
  if (protects_entries) return std::optional<std::string>();
  if ((stat.mode & 0002U) != 0)
    return std::optional(concat({path, " is world-writable (", format_mode(stat.mode), ")"}));
  if ((stat.mode & 0020U) != 0 && stat.gid != 0) {
    return std::optional(
        concat({path, " is group-writable (", format_mode(stat.mode), ", gid ", std::to_string(stat.gid), ")"}));
  }
  GH_ASSIGN_OR_RETURN(const auto writer, acl_writer(files, path));
  return writer ? std::optional(concat({path, " may be written by ", *writer, " (ACL)"})) : std::nullopt;
}

}  // namespace

Result<std::optional<std::string>> changeable_by_others(const Files& files, std::string_view path,
                                                        std::optional<std::uint32_t> also_trusted) {
  GH_ASSIGN_OR_RETURN(const std::string real, files.real_path(path));
  std::string current = "/";
  GH_ASSIGN_OR_RETURN(FileStat stat, files.lstat(current));
  std::size_t at = 0;
  for (;;) {
    const bool last = at >= real.size() || real == "/";
    std::string next = real;
    FileStat next_stat;
    if (!last) {
      at = std::min(real.find('/', at + 1), real.size());
      next = real.substr(0, at);
      GH_ASSIGN_OR_RETURN(next_stat, files.lstat(next));
    }
    const bool next_is_trusted = !last && (next_stat.uid == 0 || next_stat.uid == also_trusted);
    GH_ASSIGN_OR_RETURN(auto found, reason(files, current, stat, also_trusted, next_is_trusted));
    if (found || last) return found;
    current = next;
    stat = next_stat;
  }
}

}  // namespace gpuharden
