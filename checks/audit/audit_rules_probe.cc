// SPDX-License-Identifier: GPL-2.0-or-later
// Every audit rule that the kernel holds.
#include "checks/audit/audit_rule_table.h"

namespace gpuharden {
namespace {

void read_audit_rules(TableReader& out) {
  const auto& facts = out.shared().get<AuditFacts>(out.host(), &read_audit_facts);
  if (facts.kernel_error) return out.gap(kernel_fact_error(out.host(), *facts.kernel_error));
  std::optional<Error> other_error;
  if (!facts.boot.errors.empty()) other_error = facts.boot.errors.front();
  write_audit_rules(out, facts.kernel, facts.machines.wide, facts.is_configured, other_error);
}

}  // namespace

Probe audit_rules_probe() {
  return {{"audit_rules",
           "The audit rules that the kernel holds (AUDIT_LIST_RULES), and what keeps each from recording anything.",
           kAuditRuleColumns},
          &read_audit_rules};
}

}  // namespace gpuharden
