// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/kernel_log.h"

#include <sys/klog.h>

#include <algorithm>
#include <cerrno>

namespace gpuharden {
namespace {

constexpr int kReadAll = 3;
constexpr int kBufferSize = 10;
constexpr std::size_t kRoom = 65536;  // lines that come while this is read, and the prefix of each

}  // namespace

Result<KernelLog> read_kernel_log(std::size_t cap) {
  const int size = ::klogctl(kBufferSize, nullptr, 0);
  if (size < 0) return error_from_errno(errno, "reading the kernel's log");
  // The text has a prefix for each line, which the buffer holds as numbers.
  const auto wanted = std::min(cap, 2 * static_cast<std::size_t>(size) + kRoom);
  KernelLog log;
  log.text.resize(wanted);
  const int count = ::klogctl(kReadAll, log.text.data(), static_cast<int>(wanted));
  if (count < 0) return error_from_errno(errno, "reading the kernel's log");
  log.text.resize(static_cast<std::size_t>(count));
  // The kernel leaves out whole lines at the beginning.
  constexpr std::size_t kLongestLine = 2048;
  log.truncated = wanted == cap && log.text.size() + kLongestLine > cap;
  return log;
}

}  // namespace gpuharden
