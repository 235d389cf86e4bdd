// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's log, by syslog(2). Nothing is waited for and nothing is taken out of it.
#pragma once

#include <cstddef>
#include <string>

#include "engine/base/result.h"

namespace gpuharden {

struct KernelLog {
  std::string text;        // lines "<6>[   12.345678] text", oldest first
  bool truncated = false;  // the log holds more, older lines
};

// What the log holds now, its last `cap` bytes at most. kPermission without CAP_SYSLOG.
Result<KernelLog> read_kernel_log(std::size_t cap);

}  // namespace gpuharden
