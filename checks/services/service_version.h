// SPDX-License-Identifier: GPL-2.0-or-later
// The version of a service, from files beside its program. Nothing is run.
#pragma once

#include <optional>
#include <string>

#include "checks/services/service_settings.h"
#include "engine/host/files.h"

namespace gpuharden {

struct ServiceVersion {
  std::string version;
  std::string source;  // dist-info, variable, file
  std::string file;    // that says it; empty for a variable
};

// Nothing where no file tells; an error where the files that would tell cannot be read or differ.
Result<std::optional<ServiceVersion>> service_version(const Files& files, const ServiceCall& call);

// "vllm-0.10.2.dist-info" as its normalised name and version; nothing for other names.
std::optional<std::pair<std::string, std::string>> parse_dist_info(std::string_view folder);

}  // namespace gpuharden
