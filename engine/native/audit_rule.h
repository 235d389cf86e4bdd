// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's audit rules as data, and their message form (struct audit_rule_data).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

// One condition of a rule. Numbers are those of linux/audit.h.
struct AuditField {
  std::uint32_t field = 0;
  std::uint32_t op = 0;
  std::uint32_t value = 0;  // 0 where `text` is the value
  std::string text;         // of path, dir, exe, key and SELinux fields
  bool operator==(const AuditField&) const = default;
};

using SyscallMask = std::array<std::uint32_t, 64>;

struct AuditRule {
  std::uint32_t list = 4;    // AUDIT_FILTER_*
  std::uint32_t action = 2;  // AUDIT_NEVER, AUDIT_POSSIBLE, AUDIT_ALWAYS
  bool prepend = false;      // put before those of its list; never set in what the kernel answers
  SyscallMask mask{};        // by system call number
  std::vector<AuditField> fields;
  bool operator==(const AuditRule&) const = default;
};

// Whether the rule holds for every system call. Of the last word only the lower half names calls.
bool has_all_syscalls(const SyscallMask& mask);
bool has_syscall(const SyscallMask& mask, std::uint32_t number);
void add_syscall(SyscallMask& mask, std::uint32_t number);
void add_all_syscalls(SyscallMask& mask);

// The rules in raw AUDIT_LIST_RULES messages (nlmsghdr included), in the kernel's order, list by
// list as it evaluates them; kMalformed with the place when they are cut or make no sense.
Result<std::vector<AuditRule>> decode_audit_rules(std::string_view messages);
// The messages that the kernel would send for these rules: captures are decoded like the real thing.
std::string encode_audit_rules(const std::vector<AuditRule>& rules);

}  // namespace gpuharden
