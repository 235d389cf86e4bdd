// SPDX-License-Identifier: GPL-2.0-or-later
// One run at a time asks a vendor's driver. A worker that hangs in a call of the kernel keeps its claim until it ends:
// the next run says so, and adds no second process that nobody can end.
#pragma once

#include <optional>
#include <string>

#include "engine/base/handle.h"

namespace gpuharden {

class WorkerClaim {
 public:
  // Waits a moment for a run that is about to end. Nothing when the claim is someone's. `scope` is what keeps runs
  // apart that may go side by side: other devices, another library. A claim that another user than root and this one
  // holds does not count.
  static std::optional<WorkerClaim> take(const std::string& vendor, const std::string& scope);

  // Each worker keeps this open. -1 where there is no claim to be kept.
  int descriptor() const { return socket_.get(); }

 private:
  explicit WorkerClaim(UniqueFd socket) : socket_(std::move(socket)) {}
  UniqueFd socket_;
};

}  // namespace gpuharden
