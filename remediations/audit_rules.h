// SPDX-License-Identifier: GPL-2.0-or-later
// The audit rules of one file of our own, which make the rules of the area audit pass: what they look for, as far as
// it exists on this host, and nothing that a kernel would refuse.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/host/files.h"

namespace gpuharden {

// What is recorded under one key. Paths that do not exist are passed over: the kernel refuses some, and watches an
// empty name in place of the others. Links are followed, since the kernel does not follow the last one.
struct AuditNeed {
  std::vector<std::string> keys;      // letters, digits, '-', '_'; the first is ours
  std::vector<std::string> paths;     // files, and folders with all below; changes of them
  std::vector<std::string> programs;  // runs of them; links to kmod stand for kmod
  std::vector<std::string> calls;     // of 64-bit and of 32-bit programs, where these have them
};

// For audit.shell-profiles, environment-files, unit-folders, account-files and module-loading: the paths and calls
// that these look for by default.
AuditNeed shell_profile_need();
AuditNeed environment_need();
AuditNeed unit_need();
AuditNeed account_need();
AuditNeed module_need();
std::vector<AuditNeed> all_audit_needs();

struct AuditRulesText {
  std::vector<std::string> lines;     // as `auditctl -l` shows the rules; no two are the same
  std::vector<std::string> left_out;  // "PATH: reason" of what exists and still cannot be watched
};

// For a machine whose audit number (audit_machine()) is given. No settings, no deletions: those are the
// administrator's. Paths are those of `files`; what of them cannot be looked at is left out, and said.
AuditRulesText make_audit_rules(const Files& files, std::uint32_t machine, const std::vector<AuditNeed>& needs);

// The file's text. It replaces an earlier one as a whole; it must be root's, mode 0640, or auditctl passes it over.
inline constexpr std::string_view kAuditRulesFile = "/etc/audit/rules.d/60-gpuharden.rules";
std::string audit_rules_file(const AuditRulesText& rules);

}  // namespace gpuharden
