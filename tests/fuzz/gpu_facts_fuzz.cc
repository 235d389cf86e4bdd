// SPDX-License-Identifier: GPL-2.0-or-later
// What drivers and the names of files tell about GPUs.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checks/amd/gpu_kernels.h"
#include "checks/gpus/nvidia_information.h"
#include "checks/gpus/pci_gpu.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  gpuharden::parse_nvidia_information(text);
  gpuharden::parse_pci_number(text);
  gpuharden::is_pci_address(text);
  gpuharden::kernel_architecture(text);
  return 0;
}
