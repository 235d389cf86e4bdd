// SPDX-License-Identifier: GPL-2.0-or-later
// Which GPUs a container's settings give it.
#pragma once

#include "checks/containers/docker_container.h"
#include "checks/system/json_fields.h"

namespace gpuharden {

// Fills `gpus`, `gpu_ways` and `mig_config`; the other fields are set already.
void find_container_gpus(const Json& config, const Json& host_config, DockerContainer& container);

}  // namespace gpuharden
