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
#include "engine/scan/probe.h"

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

// Lets `writer` write the answers of each source of rules: "kernel" as it runs, "boot" from disk. What the kernel
// did not tell is a gap of its rows.
template <typename Writer, typename Asked>
void write_audit_sources(TableReader& out, const AuditFacts& facts, Writer& writer, const Asked& asked) {
  if (facts.kernel_error) {
    out.gap("kernel", "*", kernel_fact_error(out.host(), *facts.kernel_error));
  } else {
    writer.write("kernel", facts.kernel, asked);
  }
  writer.write("boot", facts.boot, asked);
}

}  // namespace gpuharden
