// SPDX-License-Identifier: GPL-2.0-or-later
// Which files a traced program looked at, and how.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden::test {

// The least that has to be done to learn the same.
enum class Access { kOpen, kList, kLink, kStat, kSockets };
std::string_view to_string(Access access);

struct Operation {
  Access access = Access::kOpen;
  std::string path;  // absolute; empty for kSockets
  auto operator<=>(const Operation&) const = default;
};

// The operations in the output of `strace -ff -y` of one process, each once, sorted. Shared libraries
// are left out: every program loads its own. A file that was only located counts as kStat, one that is
// not there as well.
std::set<Operation> operations_in_trace(std::string_view trace, std::string_view pid);

// One a line: "open /etc/passwd".
std::string format_operations(const std::set<Operation>& operations);
// The other way; lines that are none are passed over.
std::vector<Operation> parse_operations(std::string_view text);

}  // namespace gpuharden::test
