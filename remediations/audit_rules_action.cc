// SPDX-License-Identifier: GPL-2.0-or-later
<<<<<<< HEAD
#include <optional>

#include "engine/apply/action.h"
#include "engine/base/text.h"
#include "engine/native/audit.h"
#include "engine/native/audit_names.h"
#include "remediations/audit_rules.h"
=======
#include <map>

#include "checks/audit/audit_facts.h"
#include "engine/apply/action.h"
#include "engine/base/text.h"
#include "remediations/audit_rules.h"
#include "remediations/settings_file.h"
>>>>>>> kernelctl

namespace gpuharden {
namespace {

<<<<<<< HEAD
// The key "gpuharden-<need>" names it.
std::optional<AuditNeed> find_need(std::string_view name) {
  for (auto& need : all_audit_needs()) {
    if (need.keys[0] == concat({"gpuharden-", name})) return std::move(need);
  }
  return std::nullopt;
}

bool is_in(std::string_view text, const AuditNeed& need) {
  return text.find(concat({"-k ", need.keys[0], "\n"})) != std::string_view::npos ||
         text.find(concat({"-F key=", need.keys[0], "\n"})) != std::string_view::npos;
}

// The machine of an image is not known; its file names both kinds of calls then, as on most.
std::uint32_t machine_of(const Host& host) {
  const auto name = host.kernel_name();
  const auto fallback = audit_machine("x86_64").value_or(0);
  return name ? audit_machine(name->machine).value_or(fallback) : fallback;
}

bool is_locked(const Host& host) {
  const auto message = host.audit_status();
  const auto status = message ? decode_audit_status(*message) : Result<AuditStatus>(message.error());
  return status && status->enabled == 2;
}

// One file for all: what earlier requests and earlier runs put there stays.
Status plan(const FixRequest& request, Draft& draft) {
  const auto wanted = find_need(request.argument("need"));
  if (!wanted) return Error{ErrorCode::kMalformed, concat({"there is no need ", request.argument("need")})};
  const auto& files = draft.host().files();
  if (!files.stat("/etc/audit/rules.d"))
    return Error{ErrorCode::kUnsupported, "auditd is not installed: nothing would load rules at boot"};
  GH_ASSIGN_OR_RETURN(const FileState found, draft.state(kAuditRulesFile));
  std::vector<AuditNeed> needs;
  for (auto& need : all_audit_needs()) {
    if (need.keys == wanted->keys || is_in(found.bytes, need)) needs.push_back(std::move(need));
  }
  const auto rules = make_audit_rules(files, machine_of(draft.host()), needs);
  for (const auto& reason : rules.left_out) draft.risk(Risk::kNone, concat({"not recorded: ", reason}));
  GH_RETURN_IF_ERROR(draft.put(kAuditRulesFile, new_file(audit_rules_file(rules), 0640)));
  if (!is_locked(draft.host())) return draft.load_audit_rules(rules.lines);
  draft.pending("a reboot (the kernel's audit rules are locked: enabled is 2)");
  return {};
=======
constexpr std::uint32_t kMode = 0640;  // of others auditctl reads no rules

const std::map<std::string, AuditNeed (*)(), std::less<>>& needs() {
  static const std::map<std::string, AuditNeed (*)(), std::less<>> known = {{"shell-profiles", &shell_profile_need},
                                                                            {"environment-files", &environment_need},
                                                                            {"unit-folders", &unit_need},
                                                                            {"account-files", &account_need},
                                                                            {"module-loading", &module_need}};
  return known;
}

// Without auditd nothing loads the file at boot, and nobody takes the records.
bool has_auditd(const Files& files) {
  return files.stat("/usr/sbin/auditd").has_value() || files.stat("/sbin/auditd").has_value();
}

Status plan(const FixRequest& request, Draft& draft) {
  const auto need = needs().find(request.argument("need"));
  if (need == needs().end())
    return Error{ErrorCode::kMalformed, concat({"there is no such need: ", request.argument("need")})};
  const auto& files = draft.host().files();
  if (!has_auditd(files)) return Error{ErrorCode::kUnsupported, "auditd is not installed (package auditd)"};
  const auto& facts = draft.shared().get<AuditFacts>(draft.host(), read_audit_facts);
  const auto rules = make_audit_rules(files, facts.machines.wide, {need->second()});
  if (rules.lines.empty()) return Error{ErrorCode::kUnsupported, "nothing of this exists here"};
  GH_ASSIGN_OR_RETURN(FileState file, draft.state(kAuditRulesFile));
  if (!file.exists) file = new_file({}, kMode);
  for (const auto& line : rules.lines) {
    GH_ASSIGN_OR_RETURN(file.bytes, set_line(file.bytes, line, line));
  }
  file.modified = {};
  GH_RETURN_IF_ERROR(draft.put(kAuditRulesFile, std::move(file)));
  for (const auto& reason : rules.left_out) draft.risk(Risk::kNone, "left out: " + reason);
  return draft.load_audit_rules(rules.lines);
>>>>>>> kernelctl
}

}  // namespace

Action audit_rules_action() {
  return {"audit_rules",
<<<<<<< HEAD
          "Records what the rules of the area audit look for: /etc/audit/rules.d/60-gpuharden.rules, loaded at once",
          {{"need", "what is recorded: profiles, environment, units, accounts or modules"}},
=======
          "Records changes of certain files, now and after each boot, by /etc/audit/rules.d/60-gpuharden.rules",
          {{"need", "shell-profiles, environment-files, unit-folders, account-files or module-loading"}},
>>>>>>> kernelctl
          &plan};
}

}  // namespace gpuharden
