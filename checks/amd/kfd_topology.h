// SPDX-License-Identifier: GPL-2.0-or-later
// What the kernel says of the compute nodes of AMD GPUs: /sys/class/kfd/kfd/topology/nodes/N/properties.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

// Property names to values. Lines that are not "name number" are left out and told by `malformed`.
struct KfdProperties {
  std::map<std::string, std::uint64_t, std::less<>> values;
  bool malformed = false;

  std::optional<std::uint64_t> find(std::string_view name) const;
};
KfdProperties parse_kfd_properties(std::string_view text);

// The name of a GPU's instruction set from gfx_target_version, decimal MMmmss: 90010 is gfx90a, 120001
// is gfx1201. Nothing for 0, which processors have, and for what no GPU can be.
std::optional<std::string> gfx_name(std::uint64_t gfx_target_version);

}  // namespace gpuharden
