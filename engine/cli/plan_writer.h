// SPDX-License-Identifier: GPL-2.0-or-later
// Plans, and what became of them, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "engine/apply/plan.h"

namespace gpuharden {

// What apply has to say at its end.
struct ApplySummary {
  std::vector<std::string> transactions;  // their ids, in order
  std::vector<std::string> passing;       // rules that failed before and pass now
  std::vector<std::string> failing;       // "rule: why" of what still fails
  std::vector<std::string> by_hand;       // rules that still fail and have no automatic fix
  std::vector<std::string> pending;       // "rule: reboot"
  std::vector<std::string> left_behind;
  std::string failure;  // why it was taken back
  int exit_code = 0;
};

std::string plan_as_text(const Plan& plan);
std::string plan_as_json(const Plan& plan, const ApplySummary* summary);
std::string summary_as_text(const ApplySummary& summary);

}  // namespace gpuharden
