// SPDX-License-Identifier: GPL-2.0-or-later
// What an apply has come to: the affected rules are asked again, since what was written down is not yet in force.
#pragma once

#include <string>
#include <vector>

#include "engine/cli/plan_writer.h"
#include "engine/model/report.h"

namespace gpuharden {

constexpr int kExitFailing = 2;     // something still fails, or was left alone
constexpr int kExitChanges = 3;     // plan: changes are pending
constexpr int kExitPending = 4;     // done; a reboot or restart is pending
constexpr int kExitLeftBehind = 5;  // failed, and not fully taken back

// The rules that a plan is about, each once.
std::vector<std::string> rules_of(const Plan& plan);

// `report` is the audit after `plan` was done. Fills what passes, waits, fails, and the exit code.
void judge_again(const Report& report, const Plan& plan, ApplySummary& summary);

}  // namespace gpuharden
