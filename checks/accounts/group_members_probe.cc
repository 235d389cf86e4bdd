// SPDX-License-Identifier: GPL-2.0-or-later
// Who is in which group, by every way there is.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "checks/accounts/group_members.h"
#include "checks/system/if_any.h"
#include "engine/base/text.h"
#include "engine/host/nsswitch.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"group_name", ColumnType::kText, "the group; a name with several lines counts once",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"gid", ColumnType::kInteger, "the group's id, of its first line", ColumnFlag::kNotNull},
    {"user", ColumnType::kText, "the member's login name", ColumnFlag::kNotNull},
    {"uid", ColumnType::kInteger, "the member's id in /etc/passwd; NULL when it has no entry there"},
    {"how", ColumnType::kText,
     "listed: on the group's line. primary: by the gid in /etc/passwd. same-gid: listed in another group with this "
     "gid. "
     "directory: told by the name service",
     ColumnFlag::kNotNull},
    {"via", ColumnType::kText, "the other group's name where how is same-gid"},
    {"known", ColumnType::kBoolean, "whether /etc/passwd or the directory knows the user; 0 for a left-over name",
     ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "where it is written; NULL for directory members"},
    {"line", ColumnType::kInteger, "line in that file"},
};

// Groups whose members matter to a GPU server. Only these are asked of a directory service, by name.
constexpr std::array<std::string_view, 25> kSensitiveGroups = {
    "adm",    "admin",  "dialout", "disk",         "docker", "incus", "incus-admin",     "input",
    "kmem",   "kvm",    "libvirt", "libvirt-qemu", "lxd",    "mem",   "nvidia",          "nvidia-persistenced",
    "ollama", "podman", "render",  "root",         "shadow", "sudo",  "systemd-journal", "video",
    "wheel"};

// Two million members are more than any host has; names that share a gid multiply.
constexpr std::size_t kMaxMembers = 2000000;

using UidByName = std::unordered_map<std::string_view, std::uint32_t>;

bool names_directory(std::string_view nsswitch) {
  for (const auto* database : {"group", "passwd", "initgroups"}) {
    const auto sources = parse_nsswitch(nsswitch, database);
    if (std::any_of(sources.begin(), sources.end(), &is_directory_source)) return true;
  }
  return false;
}

// Whether the machine may know members that are in no local file. A missing nsswitch.conf means files.
Result<bool> has_directory(const Files& files) {
  const auto file = files.read("/etc/nsswitch.conf");
  if (!file && file.error().code == ErrorCode::kNotFound) return false;
  if (!file) return file.error();
  return names_directory(file->bytes);
}

void add_directory_members(TableReader& out, std::string_view group, const UidByName& uids,
                           const std::unordered_set<std::string>& local_members) {
  const auto found = out.host().directory_group(group);
  if (!found && found.error().code == ErrorCode::kNotFound) return;
  if (!found) {
    return out.gap(
        group, "*",
        {found.error().code, concat({"group ", group, ": directory members unknown: ", found.error().message})});
  }
  for (const auto& user : found->members) {
    if (local_members.contains(user)) continue;
    const auto uid = uids.find(user);
    out.row()
        .set("group_name", group)
        .set("gid", found->gid)
        .set("user", user)
        .set("uid", uid == uids.end() ? std::nullopt : std::optional(uid->second))
        .set("how", "directory")
        .set("known", true);
  }
}

void add_local_member(TableReader& out, const GroupMember& member, const UidByName& uids) {
  const auto uid = uids.find(member.user);
  out.row()
      .set("group_name", member.group)
      .set("gid", member.gid)
      .set("user", member.user)
      .set("uid", uid == uids.end() ? std::nullopt : std::optional(uid->second))
      .set("how", member.how)
      .set("via", if_any(member.via))
      .set("known", uid != uids.end())
      .set("file", member.file)
      .set("line", member.line);
}

void read_group_members(TableReader& out) {
  const auto& accounts = out.shared().get<Accounts>(out.host(), &read_accounts);
  for (const auto& error : accounts.group_errors) out.gap(error);
  for (const auto& error : accounts.user_errors) out.gap(error);
  UidByName uids;
  for (const auto& user : accounts.users) uids.emplace(user.name, user.uid);
  bool is_cut = false;
  std::unordered_map<std::string_view, std::unordered_set<std::string>> members_of;
  for (const auto name : kSensitiveGroups) members_of[name];
  for (const auto& member : local_group_members(accounts, kMaxMembers, is_cut)) {
    add_local_member(out, member, uids);
    const auto sensitive = members_of.find(member.group);
    if (sensitive != members_of.end()) sensitive->second.insert(member.user);
  }
  if (is_cut) out.gap({ErrorCode::kTooLarge, concat({"more than ", std::to_string(kMaxMembers), " group members"})});
  const auto directory = has_directory(out.files());
  if (!directory) return out.gap(directory.error());
  if (!*directory) return;
  for (const auto name : kSensitiveGroups) add_directory_members(out, name, uids, members_of[name]);
}

}  // namespace

Probe group_members_probe() {
  return {
      {"group_members",
       "Members of groups: by group(5), by primary gid, by a shared gid, and, where nsswitch.conf names a directory "
       "service, as that tells for a fixed list of groups. Nothing is enumerated.",
       kColumns},
      &read_group_members};
}

}  // namespace gpuharden
