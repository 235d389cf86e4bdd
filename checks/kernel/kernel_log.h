// SPDX-License-Identifier: GPL-2.0-or-later
// What the kernel's log says of GPUs and of modules that were refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

// All messages of one kind about one thing.
struct KernelLogEvent {
  std::string kind;                  // see kernel_log's column
  std::string device;                // "0000:3b:00"; empty when the message names none
  std::string about;                 // number of an Xid, name of a ring, block or module; may be empty
  std::uint64_t count = 0;           // messages
  std::int64_t first = 0, last = 0;  // seconds since the boot; -1 when lines carry no time
  std::string text;                  // of the last one, without prefix
  bool operator==(const KernelLogEvent&) const = default;
};

struct KernelLogSummary {
  std::vector<KernelLogEvent> events;  // in order of their first message
  std::optional<std::int64_t> oldest;  // time of the first line that carries one
  std::uint64_t lines = 0;             // of the kernel itself
  bool has_too_many = false;           // some kinds of events were dropped
};

// Lines "<6>[   12.345678] text". Lines of programs (facility above 0) are passed over: they can
// say anything.
KernelLogSummary parse_kernel_log(std::string_view text);

}  // namespace gpuharden
