// SPDX-License-Identifier: GPL-2.0-or-later
// What the kernel says of GPUs, through tables: which are on the bus, and which errors it logged.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/scan/table_source.h"

namespace gpuharden {

struct BusGpu {
  std::string address, vendor, driver;  // driver: empty when none has it
  bool is_wanted = true;                // a whole GPU that was not taken out of use
};
struct BusGpus {
  std::vector<BusGpu> gpus;
  bool is_complete = false;  // false: the bus could not be read, anything may be there
};
BusGpus read_bus(TableSource& source);

// Errors that the kernel logged of GPUs so far, by kind, device and number: "xid 79 of 0000:33:00".
using LoggedErrors = std::map<std::string, std::int64_t>;
LoggedErrors read_logged_errors(TableSource& source);
// Those that came since, for people.
std::vector<std::string> new_errors(const LoggedErrors& before, const LoggedErrors& after);

}  // namespace gpuharden
