// SPDX-License-Identifier: GPL-2.0-or-later
// Which devices a run examines, and for how long.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/oracle/plan.h"

namespace gpuharden {

// Of the kernel's random numbers, or of a clock where it has none.
std::uint64_t random_seed();

// How long a worker may take at this level.
std::chrono::milliseconds deadline_of(kernels::Level level);

// GPUs beside a processor's cores: an inference service does not compute on them, and HIP often hangs there (C160).
bool is_integrated(std::string_view architecture);

// Whether a text from a vendor's library may become a variable of another worker's environment.
bool is_uuid(std::string_view text);

// Whether the name of a device is that of an instance of MIG: "NVIDIA H100 80GB HBM3 MIG 1g.10gb".
bool is_instance_name(std::string_view name);

// Whether these variables ("NAME=value") say which devices programs see.
bool chooses_devices(const std::vector<std::string>& environment);

}  // namespace gpuharden
