// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/report/fleet_writer.h"

#include <algorithm>
#include <array>

namespace gpuharden {

std::span<const FleetFormat> fleet_formats() {
  static constexpr std::array<FleetFormat, 3> kFormats = {{
      {"json", "gpuharden.fleet/1: each finding once, with its hosts", &write_fleet_json},
      {"sarif", "SARIF 2.1.0: one result a fingerprint", &write_fleet_sarif},
      {"html", "one page of all hosts", &write_fleet_html},
  }};
  return kFormats;
}

const FleetFormat* find_fleet_format(std::string_view name) {
  const auto formats = fleet_formats();
  const auto found =
      std::find_if(formats.begin(), formats.end(), [&](const FleetFormat& format) { return format.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

}  // namespace gpuharden
