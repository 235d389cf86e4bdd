// SPDX-License-Identifier: GPL-2.0-or-later
// What a reload of systemd takes from running containers: with systemd as the cgroup driver it writes the devices'
// rules of their scopes again, and what NVIDIA's hook put there behind its back is gone (nvidia-container-toolkit#48).
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/host/files.h"

namespace gpuharden {

// The processes in scopes of container engines that hold an NVIDIA device, "python3 (pid 4711)"; none where /dev/char
// has links to NVIDIA's nodes: by those runc told systemd of the devices. Costs a walk over /proc.
Result<std::vector<std::string>> reload_victims(const Files& files);

}  // namespace gpuharden
