// SPDX-License-Identifier: GPL-2.0-or-later
// The state of the kernel's audit, and what the next boot sets.
#include "checks/audit/audit_facts.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"supported", ColumnType::kBoolean, "0 when the kernel has no audit or was booted with audit=0 (NETLINK_AUDIT)"},
    {"enabled", ColumnType::kInteger, "0 off, 1 on, 2 on and locked until the next boot; NULL without support"},
    {"failure", ColumnType::kInteger, "what a lost record does: 0 nothing, 1 a line in the kernel log, 2 panic"},
    {"pid", ColumnType::kInteger, "process that takes the records (auditd); 0 for none"},
    {"rate_limit", ColumnType::kInteger, "records a second; 0 for no limit"},
    {"backlog_limit", ColumnType::kInteger, "records that may wait for the daemon; 0 for no limit"},
    {"backlog", ColumnType::kInteger, "records that wait now"},
    {"lost", ColumnType::kInteger, "records lost since the boot, or since the counter was set back"},
    {"rule_count", ColumnType::kInteger, "rules in the kernel"},
    {"boot_source", ColumnType::kText,
     "what the next boot loads: rules.d (merged by augenrules) or audit.rules, both of /etc/audit; NULL when there is "
     "neither"},
    {"boot_rule_count", ColumnType::kInteger, "rules that the next boot loads"},
    {"boot_enabled", ColumnType::kInteger, "-e of the rule files, the one that counts; NULL when there is none"},
    {"boot_enabled_file", ColumnType::kPath, "where that stands"},
    {"boot_enabled_line", ColumnType::kInteger, "line in that file"},
    {"boot_failure", ColumnType::kInteger, "-f of the rule files, the one that counts; NULL when there is none"},
    {"boot_failure_file", ColumnType::kPath, "where that stands"},
    {"boot_failure_line", ColumnType::kInteger, "line in that file"},
    {"boot_backlog_limit", ColumnType::kInteger, "-b of the rule files, the one that counts; NULL when there is none"},
    {"boot_backlog_file", ColumnType::kPath, "where that stands"},
    {"boot_backlog_line", ColumnType::kInteger, "line in that file"},
    {"boot_stop_file", ColumnType::kPath,
     "where auditctl stops loading because the line is refused (no -i or -c before it); NULL when it gets to the end"},
    {"boot_stop_line", ColumnType::kInteger, "line in that file"},
    {"boot_stop_reason", ColumnType::kText, "why the line is refused"},
};

void set_status(TableReader& out, Row& row, const AuditFacts& facts) {
  if (facts.status) {
    row.set("supported", true)
        .set("enabled", facts.status->enabled)
        .set("failure", facts.status->failure)
        .set("pid", facts.status->pid)
        .set("rate_limit", facts.status->rate_limit)
        .set("backlog_limit", facts.status->backlog_limit)
        .set("backlog", facts.status->backlog)
        .set("lost", facts.status->lost);
    return;
  }
  if (facts.status.error().code == ErrorCode::kNotFound) {
    row.set("supported", false);
    return;
  }
  for (const auto* column :
       {"supported", "enabled", "failure", "pid", "rate_limit", "backlog_limit", "backlog", "lost"}) {
    row.unread(column, kernel_fact_error(out.host(), facts.status.error()));
  }
}

std::int64_t count_in_force(const AuditRuleSet& set) {
  std::int64_t count = 0;
  for (const auto& entry : set.rules) {
    const bool is_loaded =
        entry.is_rule && (entry.problem == AuditProblem::kNone || entry.problem >= AuditProblem::kLink);
    count += is_loaded ? 1 : 0;
  }
  return count;
}

void set_boot(Row& row, const std::optional<AuditBootSettings::Setting>& setting, std::string_view value,
              std::string_view file, std::string_view line) {
  if (setting) row.set(value, setting->value).set(file, setting->file).set(line, setting->line);
}

// An unread file may hold any of them.
void set_boot_settings(TableReader& out, Row& row, const AuditFacts& facts) {
  for (const auto& error : facts.boot.errors) {
    for (const auto& column : kColumns) {
      if (column.name.starts_with("boot_")) out.gap("*", column.name, error);
    }
  }
  const auto& settings = facts.settings;
  if (!facts.boot_source.empty()) row.set("boot_source", facts.boot_source);
  row.set("boot_rule_count", count_in_force(facts.boot));
  set_boot(row, settings.enabled, "boot_enabled", "boot_enabled_file", "boot_enabled_line");
  set_boot(row, settings.failure, "boot_failure", "boot_failure_file", "boot_failure_line");
  set_boot(row, settings.backlog_limit, "boot_backlog_limit", "boot_backlog_file", "boot_backlog_line");
  if (settings.stop_file.empty()) return;
  row.set("boot_stop_file", settings.stop_file)
      .set("boot_stop_line", settings.stop_line)
      .set("boot_stop_reason", settings.stop_reason);
}

void read_audit_status(TableReader& out) {
  const auto& facts = out.shared().get<AuditFacts>(out.host(), &read_audit_facts);
  auto row = out.row();
  set_status(out, row, facts);
  set_boot_settings(out, row, facts);
  if (facts.kernel_error) {
    row.unread("rule_count", kernel_fact_error(out.host(), *facts.kernel_error));
  } else {
    row.set("rule_count", static_cast<std::int64_t>(facts.kernel.rules.size()));
  }
}

}  // namespace

Probe audit_status_probe() {
  return {{"audit_status",
           "The state of the kernel's audit as it answers (AUDIT_GET), and what /etc/audit sets at the next boot. One "
           "row.",
           kColumns},
          &read_audit_status};
}

}  // namespace gpuharden
