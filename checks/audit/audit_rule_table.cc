// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/audit/audit_rule_table.h"

#include <linux/audit.h>

#include "checks/audit/audit_effect.h"
#include "checks/system/json_list.h"
#include "engine/base/text.h"
#include "engine/native/audit_names.h"

namespace gpuharden {
namespace {

std::string key_text(const AuditRule& rule) {
  const auto* key = find_audit_field(rule, AUDIT_FILTERKEY);
  std::string text = key == nullptr ? "" : key->text;
  for (char& c : text) c = c == '\x01' ? ',' : c;
  return text;
}

std::vector<std::string> call_names(const AuditRule& rule, std::uint32_t machine) {
  std::vector<std::string> names;
  if (has_all_syscalls(rule.mask)) return names;
  for (std::uint32_t number = 0; number < 32 * rule.mask.size(); ++number) {
    if (has_syscall(rule.mask, number)) names.push_back(syscall_name(machine, number));
  }
  return names;
}

class RulesWriter {
 public:
  RulesWriter(TableReader& out, std::uint32_t machine) : out_(out), machine_(machine) {}

  void write(const AuditRuleSet& set, const std::vector<bool>& in_other, const std::optional<Error>& other_error) {
    for (const auto& error : set.errors) out_.gap(error);
    if (other_error) out_.gap("*", "in_other", *other_error);
    std::int64_t position = 0;
    for (const auto& entry : set.rules) {
      auto row = out_.row();
      row.set("position", ++position).set("text", entry.text);
      if (!entry.file.empty()) row.set("file", entry.file).set("line", entry.line);
      set_rule(row, entry);
      set_effect(row, entry);
      if (!other_error && entry.is_rule && !entry.doubt) {
        row.set("in_other", in_other[static_cast<std::size_t>(position - 1)]);
      }
    }
  }

 private:
  void set_rule(Row& row, const AuditRuleEntry& entry) const {
    std::vector<std::string> filters;
    for (const auto& field : entry.rule.fields) {
      if (is_audit_filter(field)) filters.push_back(audit_field_text(field, machine_));
    }
    row.set("filters", json_list(filters));
    if (!entry.is_rule) return;
    const auto* perm = find_audit_field(entry.rule, AUDIT_PERM);
    const auto* arch = find_audit_field(entry.rule, AUDIT_ARCH);
    const auto key = key_text(entry.rule);
    row.set("list", audit_list_name(entry.rule.list))
        .set("action", entry.rule.action == AUDIT_NEVER ? "never" : "always")
        .set("is_folder", entry.is_folder_rule)
        .set("all_syscalls", has_all_syscalls(entry.rule.mask));
    if (out_.wants("syscalls"))
      row.set("syscalls", json_list(call_names(entry.rule, arch != nullptr ? arch->value : machine_)));
    if (!entry.path.empty()) row.set("path", entry.path);
    if (!entry.real_path.empty()) row.set("real_path", entry.real_path);
    if (perm != nullptr) row.set("perms", audit_perm_text(perm->value));
    if (arch != nullptr) row.set("arch", audit_field_text(*arch, machine_).substr(std::string_view("arch=").size()));
    if (!key.empty()) row.set("key", key);
  }

  static void set_effect(Row& row, const AuditRuleEntry& entry) {
    if (entry.doubt && entry.problem == AuditProblem::kNone) {
      for (const auto* column : {"effective", "problem", "reason", "in_other"}) row.unread(column, *entry.doubt);
      return;
    }
    row.set("effective", entry.problem == AuditProblem::kNone);
    if (entry.problem == AuditProblem::kNone) return;
    row.set("problem", to_string(entry.problem)).set("reason", entry.reason);
  }

  TableReader& out_;
  std::uint32_t machine_;
};

}  // namespace

void write_audit_rules(TableReader& out, const AuditRuleSet& set, std::uint32_t machine,
                       const std::vector<bool>& in_other, const std::optional<Error>& other_error) {
  RulesWriter(out, machine).write(set, in_other, other_error);
}

}  // namespace gpuharden
