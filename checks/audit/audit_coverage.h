// SPDX-License-Identifier: GPL-2.0-or-later
// What a set of audit rules records of a path or a system call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "checks/audit/audit_rule_set.h"

namespace gpuharden {

struct AuditMachines {
  std::uint32_t wide = 0;               // audit number of 64-bit programs
  std::optional<std::uint32_t> narrow;  // of 32-bit ones, where the machine runs them
};

struct AuditCoverage {
  std::uint32_t wide = 0;                   // AUDIT_PERM_* that are recorded of 64-bit programs
  std::uint32_t narrow = 0;                 // of 32-bit programs
  std::uint32_t filtered = 0;               // those that are recorded under conditions only, of 64-bit programs
  const AuditRuleEntry* rule = nullptr;     // the first that records all or part
  const AuditRuleEntry* filter = nullptr;   // the first with conditions
  const AuditRuleEntry* without = nullptr;  // the first that names the path and records nothing
};

// Answers for one set, which must outlive it.
class AuditCoverageIndex {
 public:
  AuditCoverageIndex(const AuditRuleSet& set, AuditMachines machines);

  // `real` is the path without links; `as_written` is what a dead rule may name instead. Of a
  // folder all that lies below must be recorded.
  AuditCoverage of_path(const std::string& real, const std::string& as_written, bool is_folder) const;

  struct Call {
    bool is_recorded = false;
    const AuditRuleEntry* rule = nullptr;    // that records it
    const AuditRuleEntry* filter = nullptr;  // the first that records it under conditions only
  };
  // One system call of one machine, made on no particular path.
  Call of_call(std::uint32_t machine, std::uint32_t number) const;

 private:
  struct Perms {
    std::uint32_t all = 0, part = 0;  // recorded of all events, of some
  };
  static Perms perms(const AuditRuleEntry& entry, std::uint32_t machine);
  void add(const AuditRuleEntry& entry, AuditCoverage& coverage) const;

  AuditMachines machines_;
  std::unordered_map<std::string, std::vector<const AuditRuleEntry*>> by_path_;  // by real path
  std::unordered_map<std::string, std::vector<const AuditRuleEntry*>> dead_;     // by path as written
  std::vector<const AuditRuleEntry*> calls_;                                     // without a path
};

}  // namespace gpuharden
