// SPDX-License-Identifier: GPL-2.0-or-later
// The machine form of a run, gpuharden.gpu/1: what the command prints, what captures hold and what the tables read.
#pragma once

#include <string>

#include "engine/gpu/gpu_run.h"

namespace gpuharden {

// Ends with a line break. Only grows: fields keep their meaning.
std::string gpu_report_json(const GpuRun& run, const GpuRunOptions& options);

}  // namespace gpuharden
