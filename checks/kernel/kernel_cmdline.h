// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's command line, split as the kernel splits it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct KernelParameter {
  std::string name;                  // as written
  std::optional<std::string> value;  // nothing for a word without '='
  bool for_init = false;             // after "--": the kernel passes it on and does not read it
};

// Words are separated by white space outside of double quotes; quotes around a word or around its
// value are dropped, others stay.
std::vector<KernelParameter> parse_kernel_cmdline(std::string_view text);

}  // namespace gpuharden
