// SPDX-License-Identifier: GPL-2.0-or-later
// The format of /proc/PID/status.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct ProcessStatus {
  std::int64_t parent = 0;
  std::optional<std::uint32_t> uid;                   // effective
  std::optional<std::uint32_t> gid;                   // effective
  std::vector<std::uint32_t> groups;                  // supplementary
  std::optional<std::string> effective_capabilities;  // sixteen hexadecimal digits
  std::optional<bool> no_new_privileges;
  std::optional<int> seccomp;            // 0 off, 1 strict, 2 filter
  std::optional<bool> is_kernel_thread;  // only told by kernels from 6.8
};

// Lines that are not known or make no sense are left out.
ProcessStatus parse_proc_status(std::string_view text);

}  // namespace gpuharden
