// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "checks/accounts/accounts.h"
#include "checks/process/process_facts.h"
#include "checks/systemd/unit_environments.h"
#include "engine/apply/action.h"
#include "engine/base/text.h"
#include "remediations/way_in.h"

namespace gpuharden {
namespace {

// Services that run as this user lose the group at their next start.
std::vector<std::string> services_of(const std::string& user, Draft& draft) {
  std::vector<std::string> names;
  for (const auto& unit : unit_set(draft.host(), draft.shared()).units) {
    if (unit.alias_of.empty() && setting_of(unit, "Service", "User") == user) names.push_back(unit.name);
  }
  return names;
}

// Running processes keep a group until they end.
std::size_t processes_with(std::uint32_t uid, std::uint32_t gid, const Draft& draft) {
  const ProcessFacts facts(draft.host());
  return static_cast<std::size_t>(std::count_if(facts.processes().begin(), facts.processes().end(), [&](ProcessId pid) {
    const auto& status = facts.status(pid);
    if (!status || status->uid != uid) return false;
    return std::find(status->groups.begin(), status->groups.end(), gid) != status->groups.end();
  }));
}

bool can_log_in(const PasswdEntry& user) {
  return user.uid != 0 && !user.shell.ends_with("/nologin") && !user.shell.ends_with("/false");
}

// Whether somebody who logs in is still in the group, when those are gone whom this plan takes out.
bool keeps_somebody(const Accounts& accounts, const std::string& group, const std::vector<std::string>& gone) {
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const auto entry = std::find_if(accounts.groups.begin(), accounts.groups.end(),
                                  [&](const GroupEntry& one) { return one.name == group; });
  if (entry == accounts.groups.end()) return false;
  return std::any_of(accounts.users.begin(), accounts.users.end(), [&](const PasswdEntry& user) {
    const bool is_member = user.gid == entry->gid || (has(entry->members, user.name) && !has(gone, user.name));
    return is_member && can_log_in(user);
  });
}

// Nobody may be left who cannot mend the machine: the last administrator of a group stays in it, whatever is accepted.
Status keep_way_in(const std::string& group, const std::string& user, const Accounts& accounts, Draft& draft) {
  const auto& files = draft.host().files();
  if (lets_in(files, group)) draft.risk(Risk::kLockout, concat({"sshd lets people in by the group ", group}));
  if (!makes_root(files, group)) return {};
  draft.risk(Risk::kLockout, concat({user, " becomes root by the group ", group}));
  const auto gone = draft.gather("taken out of " + group, user);
  if (keeps_somebody(accounts, group, gone)) return {};
  return Error{ErrorCode::kUnsupported,
               concat({"nobody else who logs in would be left in ", group, ", whose members become root"})};
}

Status plan(const FixRequest& request, Draft& draft) {
  const auto group = request.argument("group");
  const auto user = request.argument("user");
  const auto& accounts = draft.shared().get<Accounts>(draft.host(), read_accounts);
  GH_RETURN_IF_ERROR(keep_way_in(group, user, accounts, draft));
  GH_RETURN_IF_ERROR(draft.remove_member(group, user));
  const auto services = services_of(user, draft);
  if (!services.empty())
    draft.risk(Risk::kGpuLoss, concat({"lose the group at their next start: ", join(services, ", ")}));
  const auto known_user = std::find_if(accounts.users.begin(), accounts.users.end(),
                                       [&](const PasswdEntry& entry) { return entry.name == user; });
  const auto known_group = std::find_if(accounts.groups.begin(), accounts.groups.end(),
                                        [&](const GroupEntry& entry) { return entry.name == group; });
  if (known_user == accounts.users.end() || known_group == accounts.groups.end()) return {};
  const auto running = processes_with(known_user->uid, known_group->gid, draft);
  if (running > 0)
    draft.pending(
        concat({"the end of ", std::to_string(running), " running processes of ", user, ", which keep the group"}));
  return {};
}

}  // namespace

Action group_remove_member_action() {
  return {"group_remove_member",
          "Takes a user out of a group, in /etc/group and /etc/gshadow",
          {{"group", "the group"}, {"user", "the member"}},
          &plan};
}

}  // namespace gpuharden
