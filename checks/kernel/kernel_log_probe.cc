// SPDX-License-Identifier: GPL-2.0-or-later
// What the kernel's log says of GPUs and of modules that were refused.
#include "checks/kernel/kernel_log.h"

#include "checks/system/if_any.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"kind", ColumnType::kText,
     "xid (NVIDIA's error numbers), fell-off-bus, version-mismatch (a program's NVIDIA library is not of the module's "
     "version), ring-timeout, gpu-reset, reset-failed, uncorrectable, correctable (amdgpu), module-unverified (loaded "
     "without a trusted signature), module-refused; oldest: one row that says how far back the log goes",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"device", ColumnType::kText, "PCI address as the message gives it, without the function: 0000:3b:00"},
    {"about", ColumnType::kText, "number of an Xid, name of a ring, of a block of the chip or of a module"},
    {"number", ColumnType::kInteger, "the number of an Xid; NULL for all else"},
    {"count", ColumnType::kInteger, "messages of this kind about this; of oldest, all of the kernel's lines",
     ColumnFlag::kNotNull},
    {"first_seconds", ColumnType::kInteger,
     "when the first came, seconds since the boot; NULL when lines have no time"},
    {"last_seconds", ColumnType::kInteger, "when the last came"},
    {"text", ColumnType::kText, "the last of these messages"},
};

std::optional<std::int64_t> known_time(std::int64_t seconds) {
  return seconds < 0 ? std::nullopt : std::optional(seconds);
}

void add_row(const KernelLogEvent& event, TableReader& out) {
  auto row = out.row();
  row.set("kind", event.kind)
      .set("device", if_any(event.device))
      .set("about", if_any(event.about))
      .set("count", event.count)
      .set("first_seconds", known_time(event.first))
      .set("last_seconds", known_time(event.last))
      .set("text", event.text);
  if (event.kind == "xid") row.set("number", parse_unsigned(event.about));
}

void read_kernel_log(TableReader& out) {
  const auto log = out.host().kernel_log();
  if (!log) return out.gap(log.error());
  if (log->truncated) out.gap({ErrorCode::kTooLarge, "the kernel's log: too large, its beginning was not read"});
  const auto summary = parse_kernel_log(log->text);
  if (summary.has_too_many) out.gap({ErrorCode::kTooLarge, "the kernel's log: too many different events"});
  for (const auto& event : summary.events) add_row(event, out);
  if (summary.lines == 0) return;
  out.row().set("kind", "oldest").set("count", summary.lines).set("first_seconds", summary.oldest);
}

}  // namespace

Probe kernel_log_probe() {
  return {{"kernel_log",
           "What the kernel's log says of GPUs and of refused modules, one row for all messages of one kind about one "
           "thing. The log is a ring: what was overwritten is not there any more.",
           kColumns},
          &read_kernel_log};
}

}  // namespace gpuharden
