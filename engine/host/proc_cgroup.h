// SPDX-License-Identifier: GPL-2.0-or-later
// What /proc/PID/cgroup tells about a process: its systemd unit and its container.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

struct ProcessGroup {
  std::optional<std::string> unit;       // the innermost service or scope: ollama.service
  std::optional<std::string> container;  // 64 hexadecimal digits, or "lxc:NAME"
};

ProcessGroup parse_proc_cgroup(std::string_view text);

}  // namespace gpuharden
