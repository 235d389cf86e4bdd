// SPDX-License-Identifier: GPL-2.0-or-later
// The columns of ai_services and ai_service_units, and the cells that both fill alike.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "checks/services/service_settings.h"
#include "engine/scan/probe.h"

namespace gpuharden {

std::span<const Column> service_columns();

struct ServicePlace {
  const Files* files = nullptr;  // the root in which its paths are meant; nullptr when it cannot be read
  std::optional<Error> files_error;
  std::string home;
  std::optional<std::uint32_t> uid;  // of its user
};

// Sets everything but what only a process or a unit has.
void set_service(TableReader& out, Row& row, const ServiceCall& call, const ServicePlace& place);

}  // namespace gpuharden
