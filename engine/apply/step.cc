// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/step.h"

#include "engine/apply/step_kinds.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

std::string describe_file(const FileStep& step) {
  if (!step.after.exists) return concat({step.path, ": remove"});
  if (!step.before.exists)
    return concat({step.path, ": create ", to_string(step.after.type), " ", format_mode(step.after.mode)});
  if (step.before.bytes != step.after.bytes || step.before.type != step.after.type)
    return concat({step.path, ": edit"});
  return concat({step.path, ": ", join(differences(step.after, step.before), ", ")});
}

}  // namespace

std::string describe(const StepBody& step) {
  return std::visit(
      Overloaded{
          [](const FileStep& s) { return describe_file(s); },
          [](const GroupStep& s) {
            return concat({"take ", s.user, " out of group ", s.group});
          },
          [](const SysctlStep& s) {
            return concat({"sysctl ", s.name, ": ", s.before, " becomes ", s.after});
          },
          [](const AuditStep& s) {
            return concat({"load ", std::to_string(s.rules.size()), " audit rules"});
          },
          [](const TableStep& s) {
            return std::string(s.after.empty() ? "remove table inet gpuharden" : "load table inet gpuharden");
          },
          [](const UnitStep& s) {
            return s.verb == UnitStep::Verb::kReload  ? std::string("let systemd read its units again")
                   : s.verb == UnitStep::Verb::kStart ? concat({"start ", s.unit})
                                                      : concat({"restart ", s.unit});
          },
      },
      step);
}

int phase_of(const StepBody& step) {
  const bool is_file = std::holds_alternative<FileStep>(step) || std::holds_alternative<GroupStep>(step);
  if (is_file) return 0;
  const auto* unit = std::get_if<UnitStep>(&step);
  if (unit == nullptr) return 1;
  return unit->verb == UnitStep::Verb::kReload ? 2 : 3;
}

Result<Progress> progress_of(const StepBody& step, Workbench& bench) {
  return std::visit([&](const auto& body) { return step_progress(body, bench); }, step);
}

Status may_do(const StepBody& step, Workbench& bench) {
  return std::visit([&](const auto& body) { return step_is_allowed(body, bench); }, step);
}

Status do_step(const StepBody& step, Workbench& bench) {
  return std::visit([&](const auto& body) { return step_forward(body, bench); }, step);
}

Status may_undo(const StepBody& step, Workbench& bench) {
  return std::visit([&](const auto& body) { return step_may_go_back(body, bench); }, step);
}

Status undo_step(const StepBody& step, Workbench& bench) {
  return std::visit([&](const auto& body) { return step_back(body, bench); }, step);
}

}  // namespace gpuharden
