// SPDX-License-Identifier: GPL-2.0-or-later
// What a rule that is loaded still does not see: links, earlier rules that say never.
#pragma once

#include <string>
#include <unordered_map>

#include "checks/audit/audit_rule_set.h"

namespace gpuharden {

// Where watched paths lead. Folders are looked at once.
class AuditPaths {
 public:
  explicit AuditPaths(const Files& files) : files_(files) {}

  // Fills in path, real_path, exists and is_folder_rule of the entry, and problem where the path
  // alone makes one (kNoFolder, kLink). A -w of a folder becomes a rule for the folder.
  void settle(AuditRuleEntry& entry, bool is_watch);
  // The path with the links of its folder resolved; the last name stays.
  Result<std::string> resolve(const std::string& path);

 private:
  void look(AuditRuleEntry& entry);
  const Files& files_;
  std::unordered_map<std::string, Result<std::string>> folders_;
};

// Sets kShadowed, kNoTask and kExcluded on entries without a problem. Linear in the rules.
void find_audit_effects(AuditRuleSet& set);

// Conditions that leave events out: all but the path, the permissions, arch=, the key and success=1.
bool is_audit_filter(const AuditField& field);

}  // namespace gpuharden
