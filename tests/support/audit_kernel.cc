// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/audit_kernel.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

#include "engine/native/audit.h"

namespace gpuharden::test {

std::string reason_to_leave_audit_alone() {
  const char* allowed = std::getenv("GPUHARDEN_HOST_KERNEL");
  if (allowed == nullptr || std::string_view(allowed) != "1") return "GPUHARDEN_HOST_KERNEL=1 is not set";
  if (::geteuid() != 0) return "loading audit rules takes root";
  std::ifstream families("/proc/net/netlink");
  const std::string text{std::istreambuf_iterator<char>(families), {}};
  if (!has_audit_family(text)) return "this kernel has no audit";
  const auto message = ask_audit_status();
  if (!message) return message.error().message;
  const auto status = decode_audit_status(*message);
  if (!status) return status.error().message;
  if (status->enabled != 0 || status->pid != 0) return "audit is in use on this machine";
  return {};
}

UniqueFd lock_audit() {
  UniqueFd lock(::open("/run/gpuharden-audit.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (lock && ::flock(lock.get(), LOCK_EX) != 0) lock.reset();
  return lock;
}

}  // namespace gpuharden::test
