// SPDX-License-Identifier: GPL-2.0-or-later
// A door that few hosts have: what the GPUs of a machine answered. A live host has none, since only a worker of its own
// may ask them (engine/gpu); neither has an image.
#pragma once

#include <string>

#include "engine/base/result.h"

namespace gpuharden {

class GpuReportDoor {
 public:
  virtual ~GpuReportDoor() = default;
  // What `gpuharden gpu --format json` said of the machine; kUnsupported where nobody asked.
  virtual Result<std::string> gpu_report() const = 0;
};

}  // namespace gpuharden
