// SPDX-License-Identifier: GPL-2.0-or-later
// Settings of dockerd, from daemon.json and from its command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct DockerOption {
  std::string name;   // as in daemon.json: hosts, insecure-registries, runtimes.nvidia.path
  std::string value;  // text as it is; other values as JSON
  bool operator==(const DockerOption&) const = default;
};

// The fields of daemon.json; those of objects get names with dots, each element of a list is an
// option of its own. Nothing when the text is no JSON object.
std::optional<std::vector<DockerOption>> parse_daemon_json(std::string_view text);

// The options among dockerd's arguments, under the names that daemon.json has for them.
std::vector<DockerOption> parse_dockerd_arguments(const std::vector<std::string>& arguments);

}  // namespace gpuharden
