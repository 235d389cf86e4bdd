// SPDX-License-Identifier: GPL-2.0-or-later
// How the Docker daemon of a host is configured, read once for all probes that need it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checks/containers/docker_options.h"
#include "engine/host/host.h"
#include "engine/scan/probe.h"

namespace gpuharden {

struct DockerSetting {
  DockerOption option;
  std::string unit;  // whose command line sets it; empty for daemon.json
  std::string file;
  std::uint32_t line = 0;  // 0: not known
};

struct DockerSettings {
  std::vector<DockerSetting> settings;
  std::vector<Error> errors;
  // Folders that may hold containers/: /var/lib/docker, or what data-root says.
  std::vector<std::string> data_roots;
};

const DockerSettings& docker_settings_of(SharedFacts& shared, const Host& host);

}  // namespace gpuharden
