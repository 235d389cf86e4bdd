// SPDX-License-Identifier: GPL-2.0-or-later
// The bytes of file capabilities (the extended attribute security.capability).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct FileCapabilities {
  std::uint64_t permitted = 0;  // one bit a capability
  bool effective = false;
  std::uint32_t root_id = 0;  // of the user namespace that they are for; 0: this one
};

// Nothing when the bytes are of no version that Linux knows.
std::optional<FileCapabilities> parse_file_capabilities(std::string_view bytes);

// "cap_net_raw", "cap_41" for one that is not known.
std::vector<std::string> capability_names(std::uint64_t capabilities);

}  // namespace gpuharden
