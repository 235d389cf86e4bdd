// SPDX-License-Identifier: GPL-2.0-or-later
// The small files of /proc.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checks/devices/nvidia_capabilities.h"
#include "checks/devices/proc_devices.h"
#include "checks/process/proc_status.h"
#include "checks/system/redaction.h"
#include "engine/host/proc_cgroup.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  gpuharden::parse_proc_status(text);
  gpuharden::parse_proc_cgroup(text);
  gpuharden::parse_proc_devices(text);
  gpuharden::parse_nvidia_capability(text);
  gpuharden::redact_value(text.substr(0, size / 2), text.substr(size / 2));
  return 0;
}
