// SPDX-License-Identifier: GPL-2.0-or-later
// Adds rules to the kernel's audit and takes them away, one at a time: never all of them, and no setting.
//
// A rule is a line in the syntax of rules.d ("-w …", "-a …"). Each is encoded by audit_rule.h, which also reads them
// back, so what is compared afterwards is the same data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/native/audit_rule.h"

namespace gpuharden {

// The rule that a line is on this machine: a -w of a folder is one for all below it. kMalformed when it is no rule
// or auditctl refuses it, kUnsupported when a name in it is not known (accounts are not looked up), kNotFound when
// the folder of what it watches does not exist: the kernel would refuse it.
Result<AuditRule> loadable_audit_rule(std::string_view line);
// The line as `auditctl -l` shows it.
Result<std::string> canonical_audit_rule(std::string_view line);

// The kernel's rules as `auditctl -l` shows them, in its order.
Result<std::vector<std::string>> loaded_audit_rules();
// A rule that is there already is success. kPermission when the rules are locked (enabled 2).
Status add_kernel_audit_rule(std::string_view line);
// A rule that is not there is success. It is found by its text, whatever became of the paths in it.
Status delete_kernel_audit_rule(std::string_view line);

}  // namespace gpuharden
