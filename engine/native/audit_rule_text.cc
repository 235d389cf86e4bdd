// SPDX-License-Identifier: GPL-2.0-or-later
// Audit rules as auditctl -l shows them.
#include <linux/audit.h>

#include <algorithm>

#include "engine/base/text.h"
#include "engine/native/audit_line.h"
#include "engine/native/audit_names.h"

namespace gpuharden {
namespace {

std::string machine_text(std::uint32_t value, std::uint32_t machine) {
  if (value == machine) return (machine & __AUDIT_ARCH_64BIT) != 0 ? "b64" : "b32";
  return audit_compat_machine(machine) == value ? "b32" : std::to_string(value);
}

// Several keys of one rule are kept in one text.
std::vector<std::string> keys_of(const AuditField& field) {
  std::vector<std::string> keys;
  for (const auto key : split(field.text, '\x01')) keys.emplace_back(key);
  return keys;
}

// Nothing but a path, permissions and a key, over all calls: what -w makes.
bool is_watch(const AuditRule& rule) {
  bool has_path = false;
  bool has_perm = false;
  for (const auto& field : rule.fields) {
    if (field.op != AUDIT_EQUAL) return false;
    if (field.field == AUDIT_WATCH || field.field == AUDIT_DIR) {
      has_path = true;
    } else if (field.field == AUDIT_PERM) {
      has_perm = true;
    } else if (field.field != AUDIT_FILTERKEY) {
      return false;
    }
  }
  return has_path && has_perm && rule.list == AUDIT_FILTER_EXIT && rule.action == AUDIT_ALWAYS &&
         has_all_syscalls(rule.mask);
}

std::string watch_text(const AuditRule& rule) {
  std::string path, perm, key;
  for (const auto& field : rule.fields) {
    if (field.field == AUDIT_PERM) {
      perm = audit_perm_text(field.value);
    } else if (field.field == AUDIT_FILTERKEY) {
      for (const auto& one : keys_of(field)) key += concat({" -k ", one});
    } else {
      path = field.text;
    }
  }
  return concat({"-w ", path, " -p ", perm, key});
}

std::string syscalls_text(const AuditRule& rule, std::uint32_t machine) {
  if (has_all_syscalls(rule.mask)) return "all";
  std::string text;
  for (std::uint32_t number = 0; number < 32 * rule.mask.size(); ++number) {
    if (has_syscall(rule.mask, number)) text += concat({text.empty() ? "" : ",", syscall_name(machine, number)});
  }
  return text;
}

}  // namespace

std::string audit_field_text(const AuditField& field, std::uint32_t machine) {
  const auto sign = audit_operator_sign(field.op);
  if (field.field == AUDIT_FIELD_COMPARE) {
    const auto fields = audit_comparison_fields(field.value);
    return fields ? concat({fields->first, sign, fields->second}) : "compare" + std::to_string(field.value);
  }
  const auto name = audit_field_name(field.field);
  if (is_audit_text_field(field.field)) return concat({name, sign, field.text});
  if (field.field == AUDIT_PERM) return concat({name, sign, audit_perm_text(field.value)});
  if (field.field == AUDIT_ARCH) return concat({name, sign, machine_text(field.value, machine)});
  const bool is_signed = is_audit_user_field(field.field) || field.field == AUDIT_EXIT;
  return concat(
      {name, sign, is_signed ? std::to_string(static_cast<std::int32_t>(field.value)) : std::to_string(field.value)});
}

std::string audit_rule_text(const AuditRule& rule, std::uint32_t machine) {
  if (is_watch(rule)) return watch_text(rule);
  const std::string_view action = rule.action == AUDIT_NEVER    ? "never"
                                  : rule.action == AUDIT_ALWAYS ? "always"
                                                                : "possible";
  std::string text = concat({"-a ", action, ",", audit_list_name(rule.list)});
  std::string rest;
  std::uint32_t calls_of = machine;
  for (const auto& field : rule.fields) {
    if (field.field == AUDIT_ARCH && field.op == AUDIT_EQUAL) {
      calls_of = field.value;
      text += concat({" -F ", audit_field_text(field, machine)});
    } else if (field.field == AUDIT_FILTERKEY) {
      for (const auto& key : keys_of(field)) rest += concat({" -F key=", key});
    } else {
      rest += concat({field.field == AUDIT_FIELD_COMPARE ? " -C " : " -F ", audit_field_text(field, machine)});
    }
  }
  if (rule.list == AUDIT_FILTER_EXIT) text += concat({" -S ", syscalls_text(rule, calls_of)});
  return text + rest;
}

}  // namespace gpuharden
