// SPDX-License-Identifier: GPL-2.0-or-later
// The checks of one transcript, each against what it must say.
#pragma once

#include <vector>

#include "engine/gpu/verdict.h"

namespace gpuharden {

// A check that the plan asks for and the worker did not make.
struct JudgedChecks {
  std::vector<GpuCheck> made;
  std::vector<std::string> missing;
};
JudgedChecks judge_checks(const WorkerTranscript& transcript, const Examined& examined, Expectations& expectations);

}  // namespace gpuharden
