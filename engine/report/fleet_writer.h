// SPDX-License-Identifier: GPL-2.0-or-later
// Writers of merged reports. They give their bytes away as they make them.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "engine/model/fleet.h"

namespace gpuharden {

// Takes bytes; what goes wrong there is asked for at the end.
using Sink = std::function<void(std::string_view)>;

struct FleetFormat {
  std::string_view name;
  std::string_view doc;
  Status (*write)(const Fleet& fleet, const Sink& sink);
};

std::span<const FleetFormat> fleet_formats();
const FleetFormat* find_fleet_format(std::string_view name);

Status write_fleet_json(const Fleet& fleet, const Sink& sink);   // gpuharden.fleet/1
Status write_fleet_sarif(const Fleet& fleet, const Sink& sink);  // one result a fingerprint
Status write_fleet_html(const Fleet& fleet, const Sink& sink);

}  // namespace gpuharden
