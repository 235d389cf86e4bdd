// SPDX-License-Identifier: GPL-2.0-or-later
// Every audit rule that the next boot goes through.
#include "checks/audit/audit_rule_table.h"

namespace gpuharden {
namespace {

void read_audit_boot_rules(TableReader& out) {
  const auto& facts = out.shared().get<AuditFacts>(out.host(), &read_audit_facts);
  std::optional<Error> other_error;
  if (facts.kernel_error) other_error = kernel_fact_error(out.host(), *facts.kernel_error);
  write_audit_rules(out, facts.boot, facts.machines.wide, facts.is_loaded, other_error);
}

}  // namespace

Probe audit_boot_rules_probe() {
  return {
      {"audit_boot_rules",
       "The audit rules of /etc/audit in the order in which the next boot loads them, and what keeps each from being "
       "loaded or from recording anything.",
       kAuditRuleColumns},
      &read_audit_boot_rules};
}

}  // namespace gpuharden
