// SPDX-License-Identifier: GPL-2.0-or-later
// Audit rules of one source, with what keeps each of them from recording anything.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checks/audit/audit_script.h"
#include "engine/host/files.h"
#include "engine/native/audit_line.h"

namespace gpuharden {

// Why a rule records nothing. The words are those of the column `problem`.
enum class AuditProblem : std::uint8_t {
  kNone,
  kSyntax,     // auditctl refuses the line
  kNoFolder,   // the folder of what is watched does not exist: the kernel refuses the rule
  kDuplicate,  // the same rule stands before: the kernel refuses the second
  kUnreached,  // auditctl stopped at an earlier line
  kLocked,     // after -e 2
  kDeleted,    // a later -D or -d takes it away
  kLink,       // what is watched is the link, not what it leads to
  kShadowed,   // an earlier `never` rule takes everything
  kNoTask,     // `never,task`: no process is audited
  kExcluded,   // `exclude` drops the records of system calls
};
std::string_view to_string(AuditProblem problem);

// System calls that earlier `never` rules take, whatever path they are made on.
struct TakenCalls {
  SyscallMask wide{};         // of all 64-bit programs
  SyscallMask narrow{};       // of all 32-bit programs
  SyscallMask wide_part{};    // of root, of services, or of another large part of 64-bit programs
  SyscallMask narrow_part{};  // the same of 32-bit programs
};

struct AuditRuleEntry {
  std::string file;        // empty for the kernel's
  std::uint32_t line = 0;  // for the kernel's: its place in the list, from 1
  std::string text;        // the line as it stands, or as auditctl -l shows it
  AuditRule rule;
  bool names_syscalls = true;  // false: the mask is what the library chose, and says nothing
  bool is_rule = true;         // false: a line that auditctl refuses
  AuditProblem problem = AuditProblem::kNone;
  std::string reason;                       // the sentence for it
  std::optional<Error> doubt;               // whether there is a problem, or what the rule is, is not known
  std::string path;                         // what path=, dir=, -w or exe= names; empty when the rule names none
  std::string real_path;                    // its folder without links; the last name stays, as the kernel takes it
  bool is_folder_rule = false;              // dir=: all that lies below counts
  bool exists = false;                      // whether something is at the path
  std::shared_ptr<const TakenCalls> taken;  // nullptr: none
};

struct AuditRuleSet {
  std::vector<AuditRuleEntry> rules;  // as the kernel evaluates them, lines that are no rule included
  std::vector<Error> errors;          // the set is not complete
};

// What the boot's control lines leave behind.
struct AuditBootSettings {
  struct Setting {
    std::uint32_t value = 0;
    std::string file;
    std::uint32_t line = 0;
  };
  std::optional<Setting> enabled, failure, backlog_limit;
  bool ignores_errors = false;         // -i or -c: a refused line does not end the loading
  std::string stop_file, stop_reason;  // the line at which auditctl stops
  std::uint32_t stop_line = 0;
};

// The kernel's rules, in its order.
AuditRuleSet kernel_rule_set(std::vector<AuditRule> rules, const Files& files, std::uint32_t machine);

// The rules that are loaded from the script on a machine whose kernel holds none, as auditctl -R
// goes through it: at a line that it or the kernel refuses it stops, unless -i or -c came before.
AuditRuleSet boot_rule_set(const AuditScript& script, const Files& files, const AuditWords& words,
                           AuditBootSettings& settings);

// The same text for the same rule, whatever the order of its conditions; system calls left out.
std::string audit_identity(const AuditRule& rule);
const AuditField* find_audit_field(const AuditRule& rule, std::uint32_t field);

}  // namespace gpuharden
