// SPDX-License-Identifier: GPL-2.0-or-later
// One line of an audit rules file, as `auditctl -R` reads it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/native/audit_rule.h"

namespace gpuharden {

// What names in a line stand for.
struct AuditWords {
  std::uint32_t machine = 0;  // audit number of the machine, 64-bit calls; see audit_machine()
  std::map<std::string, std::uint32_t, std::less<>> users, groups;
  bool knows_accounts = true;  // false: an account that is not in the maps may exist
};

struct AuditLine {
  enum class Kind : std::uint8_t {
    kNothing,  // blank or a comment
    kRule,     // -a, -A or -w
    kRemoval,  // -d or -W
    kControl,  // settings, -D, -i, -c …
    kBad,      // auditctl refuses it
  };
  Kind kind = Kind::kNothing;
  std::string error;            // of kBad: what is wrong
  std::string doubt;            // what could not be looked up here; the rule may be another, or be refused
  AuditRule rule;               // of kRule and kRemoval; a -w is one of AUDIT_WATCH
  bool is_watch = false;        // -w: a folder is watched with all below it, which the caller has to look at
  bool names_syscalls = false;  // -S was given; without it the mask is the library's choice

  // Of kControl; one line may set several.
  std::optional<std::uint32_t> enabled, failure, backlog_limit;
  bool deletes_all = false;         // -D without a key
  bool ignores_errors = false;      // -i
  bool continues_on_error = false;  // -c
};

// A pure function of the line, which has no newline; a carriage return is part of its last word.
AuditLine parse_audit_line(std::string_view line, const AuditWords& words);

// The rule as `auditctl -l` shows it.
std::string audit_rule_text(const AuditRule& rule, std::uint32_t machine);

// The condition as -F shows it, without -F: "auid>=1000".
std::string audit_field_text(const AuditField& field, std::uint32_t machine);
// "wa" for AUDIT_PERM_WRITE | AUDIT_PERM_ATTR, always in the order r w x a.
std::string audit_perm_text(std::uint32_t perm);

}  // namespace gpuharden
