// SPDX-License-Identifier: GPL-2.0-or-later
#include <optional>

#include "engine/apply/action.h"
#include "engine/base/text.h"
#include "engine/native/audit.h"
#include "engine/native/audit_names.h"
#include "remediations/audit_rules.h"

namespace gpuharden {
namespace {

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
}

}  // namespace

Action audit_rules_action() {
  return {"audit_rules",
          "Records what the rules of the area audit look for: /etc/audit/rules.d/60-gpuharden.rules, loaded at once",
          {{"need", "what is recorded: profiles, environment, units, accounts or modules"}},
          &plan};
}

}  // namespace gpuharden
