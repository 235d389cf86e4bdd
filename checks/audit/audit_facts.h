// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's audit and its rules on disk, read once for all audit tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checks/audit/audit_coverage.h"
#include "checks/audit/audit_rule_set.h"
#include "engine/host/host.h"
#include "engine/native/audit.h"

namespace gpuharden {

struct AuditFacts {
  Result<AuditStatus> status = Error{ErrorCode::kIo, ""};  // kNotFound: this kernel has no audit
  std::optional<Error> kernel_error;                       // the kernel's rules could not be read
  AuditRuleSet kernel, boot;
  AuditBootSettings settings;
  std::string boot_source;  // "rules.d", "audit.rules" or empty
  AuditMachines machines;
  // Of each rule of one set: whether the other set holds it too.
  std::vector<bool> is_loaded;      // by place in `boot`
  std::vector<bool> is_configured;  // by place in `kernel`
};

// For SharedFacts::get<AuditFacts>.
AuditFacts read_audit_facts(const Host& host);

}  // namespace gpuharden
