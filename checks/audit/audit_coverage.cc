// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/audit/audit_coverage.h"

#include <linux/audit.h>

#include <algorithm>
#include <array>

#include "checks/audit/audit_effect.h"
#include "engine/native/audit_names.h"

namespace gpuharden {
namespace {

struct PermCall {
  std::uint32_t perm;
  const char* call;
};
// A rule that names system calls records a kind of access when it names the call that stands for it:
// these are what programs of today use.
constexpr std::array<PermCall, 4> kPermCalls = {{{AUDIT_PERM_READ, "openat"},
                                                 {AUDIT_PERM_WRITE, "openat"},
                                                 {AUDIT_PERM_EXEC, "execve"},
                                                 {AUDIT_PERM_ATTR, "fchmodat"}}};

bool is_wide(std::uint32_t machine) { return (machine & __AUDIT_ARCH_64BIT) != 0; }

bool is_filtered(const AuditRule& rule) {
  return std::any_of(rule.fields.begin(), rule.fields.end(), &is_audit_filter);
}

bool is_of_machine(const AuditRule& rule, std::uint32_t machine) {
  const auto* arch = find_audit_field(rule, AUDIT_ARCH);
  return arch == nullptr || arch->op != AUDIT_EQUAL || arch->value == machine;
}

enum class Recorded { kNo, kPart, kAll };

Recorded recorded(const AuditRuleEntry& entry, std::uint32_t machine, std::uint32_t number) {
  if (!is_of_machine(entry.rule, machine) || !has_syscall(entry.rule.mask, number)) return Recorded::kNo;
  const Recorded unhindered = is_filtered(entry.rule) ? Recorded::kPart : Recorded::kAll;
  if (!entry.taken) return unhindered;
  if (has_syscall(is_wide(machine) ? entry.taken->wide : entry.taken->narrow, number)) return Recorded::kNo;
  const auto& taken = is_wide(machine) ? entry.taken->wide_part : entry.taken->narrow_part;
  return has_syscall(taken, number) ? Recorded::kPart : unhindered;
}

bool is_recording(const AuditRuleEntry& entry) {
  return entry.is_rule && entry.rule.list == AUDIT_FILTER_EXIT && entry.rule.action == AUDIT_ALWAYS;
}

}  // namespace

AuditCoverageIndex::AuditCoverageIndex(const AuditRuleSet& set, AuditMachines machines) : machines_(machines) {
  for (const auto& entry : set.rules) {
    if (!is_recording(entry)) continue;
    const bool names_path =
        find_audit_field(entry.rule, AUDIT_WATCH) != nullptr || find_audit_field(entry.rule, AUDIT_DIR) != nullptr;
    if (entry.problem != AuditProblem::kNone || entry.doubt) {
      if (names_path) dead_[entry.path].push_back(&entry);
    } else if (names_path) {
      by_path_[entry.real_path].push_back(&entry);
    } else {
      calls_.push_back(&entry);
    }
  }
}

AuditCoverageIndex::Perms AuditCoverageIndex::perms(const AuditRuleEntry& entry, std::uint32_t machine) {
  const auto* perm = find_audit_field(entry.rule, AUDIT_PERM);
  const std::uint32_t wanted = perm == nullptr ? ~std::uint32_t{0} : perm->value;
  Perms perms;
  for (const auto& [bit, call] : kPermCalls) {
    const auto number = syscall_number(machine, call);
    if ((wanted & bit) == 0 || number.known != SyscallKnown::kYes) continue;
    const Recorded how = recorded(entry, machine, number.number);
    if (how == Recorded::kAll) perms.all |= bit;
    if (how == Recorded::kPart) perms.part |= bit;
  }
  return perms;
}

void AuditCoverageIndex::add(const AuditRuleEntry& entry, AuditCoverage& coverage) const {
  const Perms wide = perms(entry, machines_.wide);
  const Perms narrow = machines_.narrow ? perms(entry, *machines_.narrow) : Perms();
  coverage.filtered |= wide.part;
  coverage.wide |= wide.all;
  coverage.narrow |= narrow.all;
  if (coverage.filter == nullptr && (wide.part | narrow.part) != 0) coverage.filter = &entry;
  if (coverage.rule == nullptr && (wide.all | narrow.all) != 0) coverage.rule = &entry;
}

AuditCoverage AuditCoverageIndex::of_path(const std::string& real, const std::string& as_written,
                                          bool is_folder) const {
  AuditCoverage coverage;
  for (std::string path = real; !path.empty();) {
    const auto found = by_path_.find(path);
    if (found != by_path_.end()) {
      for (const auto* entry : found->second) {
        if (entry->is_folder_rule || (path == real && !is_folder)) add(*entry, coverage);
      }
    }
    if (path == "/") break;
    const auto slash = path.rfind('/');
    if (slash == std::string::npos) break;
    path.erase(slash == 0 ? 1 : slash);
  }
  for (const auto* name : {&as_written, &real}) {
    const auto dead = dead_.find(*name);
    if (coverage.without == nullptr && dead != dead_.end()) coverage.without = dead->second.front();
  }
  return coverage;
}

AuditCoverageIndex::Call AuditCoverageIndex::of_call(std::uint32_t machine, std::uint32_t number) const {
  Call call;
  for (const auto* entry : calls_) {
    const Recorded how = recorded(*entry, machine, number);
    if (how == Recorded::kNo) continue;
    if (how == Recorded::kPart || find_audit_field(entry->rule, AUDIT_PERM) != nullptr) {
      if (call.filter == nullptr) call.filter = entry;
      continue;
    }
    call.is_recorded = true;
    if (call.rule == nullptr) call.rule = entry;
  }
  return call;
}

}  // namespace gpuharden
