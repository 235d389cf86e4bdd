// SPDX-License-Identifier: GPL-2.0-or-later
// The format of /proc/modules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct LoadedModule {
  std::string name;                         // the kernel's own, with '_'
  std::uint64_t size = 0;                   // bytes
  std::optional<std::uint64_t> references;  // nothing when the kernel cannot unload modules
  std::string used_by;                      // comma-separated names, empty for none
  std::string state;                        // Live, Loading, Unloading
  std::string taint;                        // letters: OE
  std::uint32_t line = 0;                   // from 1
};

// Lines that make no sense get their number into `bad_lines`.
std::vector<LoadedModule> parse_proc_modules(std::string_view text, std::vector<std::uint32_t>& bad_lines);

}  // namespace gpuharden
