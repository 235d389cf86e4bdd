// SPDX-License-Identifier: GPL-2.0-or-later
// The mappings of a process, whose names of files are chosen by users, and dpkg's diversions.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checks/apt/dpkg_files.h"
#include "checks/process/proc_maps.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  gpuharden::parse_proc_maps(text);
  gpuharden::parse_diversions(text);
  return 0;
}
