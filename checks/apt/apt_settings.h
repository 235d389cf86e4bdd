// SPDX-License-Identifier: GPL-2.0-or-later
// apt's settings in force on a host, read once for all probes that need them.
#pragma once

#include <vector>

#include "checks/apt/apt_conf.h"
#include "engine/host/host.h"
#include "engine/scan/probe.h"

namespace gpuharden {

struct AptSettingsFacts {
  AptSettings settings;
  std::vector<Error> errors;  // what could not be read
};

// Files of apt.conf.d first, then apt.conf, as apt does; included files where they are included.
const AptSettingsFacts& apt_settings_of(SharedFacts& shared, const Host& host);

// A sentence for each setting that sends apt to other sources or keyrings than the usual ones.
std::vector<std::string> redirections(const AptSettings& settings);

}  // namespace gpuharden
