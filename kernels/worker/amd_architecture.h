// SPDX-License-Identifier: GPL-2.0-or-later
// What the kernel's KFD topology says of an AMD GPU: HIP tells it only in a structure that changes between releases.
#pragma once

#include <cstdint>
#include <string>

namespace gpuharden::kernels {

struct AmdArchitecture {
  std::string architecture;  // gfx90a; empty when the topology does not have the device
  std::uint32_t units = 0;
  std::uint32_t clock_mhz = 0;
};
// `pci` as "0000:c1:00.0".
AmdArchitecture amd_architecture_of(const std::string& pci,
                                    const std::string& topology = "/sys/class/kfd/kfd/topology");

// 90010 is gfx90a: major, minor and stepping in decimal pairs, of which the last is written as a hexadecimal digit.
std::string amd_architecture_name(std::uint64_t gfx_target_version);

}  // namespace gpuharden::kernels
