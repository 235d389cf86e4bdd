// SPDX-License-Identifier: GPL-2.0-or-later
// What OpenCL would compute on. It is never examined: it is asked because a program that finds no GPU there goes on, on
// the processor, and says nothing.
#pragma once

#include <string>

#include "kernels/worker/problem.h"

namespace gpuharden::kernels {

// Sends a line for each device, with its type: cpu, gpu or other. `library` names one file instead of libOpenCL.so.N.
Failure list_opencl(const std::string& library);

}  // namespace gpuharden::kernels
