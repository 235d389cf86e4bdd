// SPDX-License-Identifier: GPL-2.0-or-later
// The mappings of a process: names of files are chosen by users.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checks/process/proc_maps.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  gpuharden::parse_proc_maps({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
