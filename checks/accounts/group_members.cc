// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/accounts/group_members.h"

#include <unordered_map>
#include <unordered_set>

namespace gpuharden {
namespace {

using IndexByGid = std::unordered_map<std::uint32_t, std::vector<const GroupEntry*>>;

class MemberCollector {
 public:
  MemberCollector(const Accounts& accounts, std::size_t limit) : limit_(limit) {
    for (const auto& group : accounts.groups) {
      lines_by_name_[group.name].push_back(&group);
      lines_by_gid_[group.gid].push_back(&group);
    }
    for (const auto& user : accounts.users) users_by_gid_[user.gid].push_back(&user);
  }

  void collect(const std::string& name) {
    const auto& lines = lines_by_name_.at(name);
    seen_.clear();
    for (const auto* line : lines) add_listed(*lines.front(), *line, "listed", "");
    for (const auto* line : lines) add_primary(*lines.front(), line->gid);
    for (const auto* line : lines) add_same_gid(*lines.front(), line->gid);
  }

  bool is_cut() const { return is_cut_; }
  std::vector<GroupMember>& members() { return members_; }

 private:
  void add(GroupMember member) {
    if (is_cut_ || !seen_.insert(member.user).second) return;
    if (members_.size() >= limit_) {
      is_cut_ = true;
      return;
    }
    members_.push_back(std::move(member));
  }

  void add_listed(const GroupEntry& group, const GroupEntry& line, std::string_view how, const std::string& via) {
    for (const auto& user : line.members) {
      if (is_cut_) return;
      add({group.name, group.gid, user, how, via, "/etc/group", line.line});
    }
  }
  void add_primary(const GroupEntry& group, std::uint32_t gid) {
    const auto users = users_by_gid_.find(gid);
    if (users == users_by_gid_.end()) return;
    for (const auto* user : users->second) {
      if (is_cut_) return;
      add({group.name, group.gid, user->name, "primary", "", "/etc/passwd", user->line});
    }
  }
  void add_same_gid(const GroupEntry& group, std::uint32_t gid) {
    for (const auto* other : lines_by_gid_.at(gid)) {
      if (is_cut_) return;
      if (other->name != group.name) add_listed(group, *other, "same-gid", other->name);
    }
  }

  std::size_t limit_;
  bool is_cut_ = false;
  std::unordered_map<std::string, std::vector<const GroupEntry*>> lines_by_name_;
  IndexByGid lines_by_gid_;
  std::unordered_map<std::uint32_t, std::vector<const PasswdEntry*>> users_by_gid_;
  std::unordered_set<std::string> seen_;  // users of the name that is being collected
  std::vector<GroupMember> members_;
};

}  // namespace

std::vector<GroupMember> local_group_members(const Accounts& accounts, std::size_t limit, bool& is_cut) {
  MemberCollector collector(accounts, limit);
  std::unordered_set<std::string_view> done;
  for (const auto& group : accounts.groups) {
    if (done.insert(group.name).second) collector.collect(group.name);
  }
  is_cut = collector.is_cut();
  return std::move(collector.members());
}

}  // namespace gpuharden
