// SPDX-License-Identifier: GPL-2.0-or-later
// The verbs of each kind of step; step.h says what they promise. One source file a kind.
#pragma once

#include "engine/apply/step.h"

namespace gpuharden {

Result<Progress> step_progress(const FileStep& step, Workbench& bench);
Status step_is_allowed(const FileStep& step, Workbench& bench);
Status step_forward(const FileStep& step, Workbench& bench);
Status step_may_go_back(const FileStep& step, Workbench& bench);
Status step_back(const FileStep& step, Workbench& bench);

Result<Progress> step_progress(const GroupStep& step, Workbench& bench);
Status step_is_allowed(const GroupStep& step, Workbench& bench);
Status step_forward(const GroupStep& step, Workbench& bench);
Status step_may_go_back(const GroupStep& step, Workbench& bench);
Status step_back(const GroupStep& step, Workbench& bench);

Result<Progress> step_progress(const SysctlStep& step, Workbench& bench);
Status step_is_allowed(const SysctlStep& step, Workbench& bench);
Status step_forward(const SysctlStep& step, Workbench& bench);
Status step_may_go_back(const SysctlStep& step, Workbench& bench);
Status step_back(const SysctlStep& step, Workbench& bench);

Result<Progress> step_progress(const AuditStep& step, Workbench& bench);
Status step_is_allowed(const AuditStep& step, Workbench& bench);
Status step_forward(const AuditStep& step, Workbench& bench);
Status step_may_go_back(const AuditStep& step, Workbench& bench);
Status step_back(const AuditStep& step, Workbench& bench);

Result<Progress> step_progress(const TableStep& step, Workbench& bench);
Status step_is_allowed(const TableStep& step, Workbench& bench);
Status step_forward(const TableStep& step, Workbench& bench);
Status step_may_go_back(const TableStep& step, Workbench& bench);
Status step_back(const TableStep& step, Workbench& bench);

Result<Progress> step_progress(const UnitStep& step, Workbench& bench);
Status step_is_allowed(const UnitStep& step, Workbench& bench);
Status step_forward(const UnitStep& step, Workbench& bench);
Status step_may_go_back(const UnitStep& step, Workbench& bench);
Status step_back(const UnitStep& step, Workbench& bench);

}  // namespace gpuharden
