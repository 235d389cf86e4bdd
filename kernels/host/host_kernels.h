// SPDX-License-Identifier: GPL-2.0-or-later
// The same kernels, run by the processor: for tests of the kernels and for a driver that needs no GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gpuharden::kernels {

struct Grid {
  std::uint32_t x = 1, y = 1;
};

// Runs every block of the kernel; false when there is none of that name. `arguments` point at one value each, as in
// cuLaunchKernel.
bool run_on_host(std::string_view kernel, Grid grid, void* const* arguments);

std::vector<std::string_view> host_kernel_names();
// Bytes of each parameter; empty when there is no kernel of that name.
std::vector<std::size_t> host_kernel_parameters(std::string_view kernel);

}  // namespace gpuharden::kernels
