// SPDX-License-Identifier: GPL-2.0-or-later
// Asks the kernel's audit (NETLINK_AUDIT) for its state and its rules; sets nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace gpuharden {

// What AUDIT_GET answers.
struct AuditStatus {
  std::uint32_t enabled = 0;  // 0 off, 1 on, 2 on and locked until the next boot
  std::uint32_t failure = 0;  // what a lost record does: 0 nothing, 1 a line in the kernel log, 2 panic
  std::uint32_t pid = 0;      // of the daemon that takes the records; 0 for none
  std::uint32_t rate_limit = 0;
  std::uint32_t backlog_limit = 0;
  std::uint32_t lost = 0;  // records lost since the boot
  std::uint32_t backlog = 0;
  std::optional<std::uint32_t> backlog_wait_time;  // in jiffies; kernels before 3.14 do not say
};

// The kernel's raw AUDIT_GET answer, or its raw AUDIT_LIST_RULES messages without the closing one;
// nlmsghdr included. At most a few seconds and kMaxAuditBytes. kPermission without
// CAP_AUDIT_CONTROL, kUnsupported outside the initial user and PID namespaces. The caller has
// made sure that the kernel has this netlink family: asking may make it load a module.
Result<std::string> ask_audit_status();
Result<std::string> list_audit_rules();
constexpr std::size_t kMaxAuditBytes = std::size_t{128} << 20U;

// The state in one raw message; kMalformed when it is cut or no such message.
Result<AuditStatus> decode_audit_status(std::string_view message);
// The message that the kernel would send: captures are decoded like the real thing.
std::string encode_audit_status(const AuditStatus& status);

// Whether /proc/net/netlink lists the kernel's own end of the audit family: it does not where the
// kernel has no audit or was booted with audit=0.
bool has_audit_family(std::string_view proc_net_netlink);

}  // namespace gpuharden
