// SPDX-License-Identifier: GPL-2.0-or-later
// Steps that change the running kernel. Where there is no kernel (a tree of files) they are done: the files
// that go with them take effect at the next boot.
#include <algorithm>

#include "engine/apply/step_kinds.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool has_kernel(const Workbench& bench) { return bench.kernel.is_held().has_value(); }

// After a reboot the kernel has neither state: its rules, tables and values come from files.
Error foreign(std::string_view what) { return {ErrorCode::kStale, concat({what, ": changed by someone else"})}; }

}  // namespace

Result<Progress> step_progress(const SysctlStep& step, Workbench& bench) {
  if (!has_kernel(bench)) return Progress::kBefore;
  GH_ASSIGN_OR_RETURN(const std::string value, bench.kernel.sysctl(step.name));
  if (value == step.before) return Progress::kBefore;
  return value == step.after ? Progress::kAfter : Progress::kForeign;
}

Status step_is_allowed(const SysctlStep&, Workbench&) { return {}; }

Status step_forward(const SysctlStep& step, Workbench& bench) {
  if (!has_kernel(bench)) return {};
  return bench.kernel.set_sysctl(step.name, step.after);
}

Status step_may_go_back(const SysctlStep& step, Workbench& bench) {
  GH_ASSIGN_OR_RETURN(const Progress progress, step_progress(step, bench));
  const bool is_others = progress == Progress::kForeign && bench.is_same_boot;
  return is_others ? Status(foreign(concat({"sysctl ", step.name}))) : Status();
}

Status step_back(const SysctlStep& step, Workbench& bench) {
  if (!has_kernel(bench)) return {};
  GH_RETURN_IF_ERROR(step_may_go_back(step, bench));
  GH_ASSIGN_OR_RETURN(const Progress progress, step_progress(step, bench));
  // What is neither came with the boot, and whatever reads the files at boot makes it what they say.
  return progress == Progress::kAfter ? bench.kernel.set_sysctl(step.name, step.before) : Status();
}

Result<Progress> step_progress(const AuditStep& step, Workbench& bench) {
  if (!has_kernel(bench)) return Progress::kBefore;
  GH_ASSIGN_OR_RETURN(const auto loaded, bench.kernel.audit_rules());
  const auto count = std::count_if(step.missing.begin(), step.missing.end(),
                                   [&](const std::string& rule) { return contains(loaded, rule); });
  if (count == 0) return Progress::kBefore;
  return static_cast<std::size_t>(count) == step.missing.size() ? Progress::kAfter : Progress::kPartly;
}

Status step_is_allowed(const AuditStep& step, Workbench& bench) {
  if (!has_kernel(bench)) return {};
  GH_ASSIGN_OR_RETURN(const AuditStatus status, bench.kernel.audit_status());
  if (status.enabled == 2)
    return Error{ErrorCode::kPermission, "the kernel's audit rules are locked (enabled 2) until the next boot"};
  for (const auto& rule : step.missing) GH_RETURN_IF_ERROR(bench.kernel.prove_audit_rule(rule));
  return {};
}

Status step_forward(const AuditStep& step, Workbench& bench) {
  if (!has_kernel(bench)) return {};
  GH_ASSIGN_OR_RETURN(const auto loaded, bench.kernel.audit_rules());
  GH_ASSIGN_OR_RETURN(const AuditStatus before, bench.kernel.audit_status());
  for (const auto& rule : step.missing) {
    if (!contains(loaded, rule)) GH_RETURN_IF_ERROR(bench.kernel.add_audit_rule(rule));
  }
  GH_ASSIGN_OR_RETURN(const std::uint32_t lost, bench.kernel.watch_audit_losses(before.lost));
  if (lost == 0) return {};
  return Error{ErrorCode::kTooLarge,
               concat({"with these audit rules the kernel lost ", std::to_string(lost),
                       " records within seconds: there are too many events, or the backlog is too small"})};
}

Status step_may_go_back(const AuditStep&, Workbench&) { return {}; }

Status step_back(const AuditStep& step, Workbench& bench) {
  if (!has_kernel(bench)) return {};
  GH_ASSIGN_OR_RETURN(const auto loaded, bench.kernel.audit_rules());
  for (auto rule = step.missing.rbegin(); rule != step.missing.rend(); ++rule) {
    if (contains(loaded, *rule)) GH_RETURN_IF_ERROR(bench.kernel.delete_audit_rule(*rule));
  }
  return {};
}

Result<Progress> step_progress(const TableStep& step, Workbench& bench) {
  if (!has_kernel(bench)) return Progress::kBefore;
  GH_ASSIGN_OR_RETURN(const std::string table, bench.kernel.own_table());
  if (table == step.before) return Progress::kBefore;
  return table == step.after ? Progress::kAfter : Progress::kForeign;
}

Status step_is_allowed(const TableStep& step, Workbench& bench) {
  if (!has_kernel(bench) || step.after.empty()) return {};
  GH_ASSIGN_OR_RETURN(const std::string proved, bench.kernel.prove_table(step.after));
  if (proved == step.after) return {};
  return Error{ErrorCode::kStale, "the table reads back otherwise than when it was planned: plan again"};
}

Status step_forward(const TableStep& step, Workbench& bench) {
  if (!has_kernel(bench)) return {};
  GH_ASSIGN_OR_RETURN(const std::string others, bench.kernel.other_tables());
  GH_RETURN_IF_ERROR(bench.kernel.replace_own_table(step.after));
  GH_ASSIGN_OR_RETURN(const std::string others_now, bench.kernel.other_tables());
  if (others == others_now) return {};
  return Error{ErrorCode::kStale, "other tables of the packet filter changed at the same time"};
}

Status step_may_go_back(const TableStep&, Workbench&) { return {}; }

// The table is ours alone: whatever became of it, it goes back to what it was.
Status step_back(const TableStep& step, Workbench& bench) {
  if (!has_kernel(bench)) return {};
  GH_ASSIGN_OR_RETURN(const Progress progress, step_progress(step, bench));
  if (progress == Progress::kBefore) return {};
  return bench.kernel.replace_own_table(step.before);
}

Result<Progress> step_progress(const UnitStep&, Workbench&) { return Progress::kBefore; }

Status step_is_allowed(const UnitStep& step, Workbench& bench) {
  // What is started may come with the files of this transaction.
  if (step.verb != UnitStep::Verb::kRestart || !has_kernel(bench)) return {};
  GH_ASSIGN_OR_RETURN(const UnitState state, bench.kernel.unit(step.unit));
  if (!state.refuses_restart) return {};
  return Error{ErrorCode::kUnsupported, concat({step.unit, ": refuses to be restarted by hand"})};
}

Status step_forward(const UnitStep& step, Workbench& bench) {
  if (!has_kernel(bench)) return {};
  return step.verb == UnitStep::Verb::kReload ? bench.kernel.reload_units() : bench.kernel.restart_unit(step.unit);
}

Status step_may_go_back(const UnitStep&, Workbench&) { return {}; }

namespace {

// A reload that would take GPUs from containers is left to people: the unit's files are as before all the same.
Status may_reload(Workbench& bench) {
  const auto victims = bench.kernel.reload_victims();
  const std::string left = "systemctl daemon-reload is left to you: ";
  if (!victims)
    return Error{ErrorCode::kStale,
                 concat({left, "whether it takes GPUs from containers is not known: ", victims.error().message})};
  if (victims->empty()) return {};
  return Error{ErrorCode::kStale, concat({left, "it takes the GPUs from ", join(*victims, ", ")})};
}

}  // namespace

Status step_back(const UnitStep& step, Workbench& bench) {
  if (!has_kernel(bench)) return {};
  if (step.verb == UnitStep::Verb::kStart) return bench.kernel.stop_unit(step.unit);
  if (step.verb == UnitStep::Verb::kReload) GH_RETURN_IF_ERROR(may_reload(bench));
  if (step.verb == UnitStep::Verb::kRestart && !bench.is_same_boot) {
    // What is not up yet will find the files as they are now. It may wait for the very service that takes back at
    // boot: waiting for its start would be for ever.
    GH_ASSIGN_OR_RETURN(const UnitState state, bench.kernel.unit(step.unit));
    if (!state.is_active) return {};
  }
  return step_forward(step, bench);
}

}  // namespace gpuharden
