// SPDX-License-Identifier: GPL-2.0-or-later
#include <map>

#include "checks/audit/audit_facts.h"
#include "engine/apply/action.h"
#include "engine/base/text.h"
#include "remediations/audit_rules.h"
#include "remediations/settings_file.h"

namespace gpuharden {
namespace {

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
}

}  // namespace

Action audit_rules_action() {
  return {"audit_rules",
          "Records changes of certain files, now and after each boot, by /etc/audit/rules.d/60-gpuharden.rules",
          {{"need", "shell-profiles, environment-files, unit-folders, account-files or module-loading"}},
          &plan};
}

}  // namespace gpuharden
