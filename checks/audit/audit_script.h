// SPDX-License-Identifier: GPL-2.0-or-later
// The audit rules that the next boot loads, as they lie on disk.
#pragma once

#include <string>
#include <vector>

#include "checks/audit/augenrules.h"
#include "engine/host/files.h"

namespace gpuharden {

struct AuditScript {
  std::string source;                  // "rules.d" or "audit.rules"; empty when there is neither
  std::vector<AuditScriptLine> lines;  // in the order in which auditctl reads them
  std::vector<Error> errors;           // what could not be read: the lines are not all
};

// rules.d where that folder is there, as augenrules has it; audit.rules where it is not, or where
// the unit that loads the rules names that file instead of augenrules.
AuditScript read_audit_script(const Files& files);

}  // namespace gpuharden
