// SPDX-License-Identifier: GPL-2.0-or-later
// The settings of auditd.
#include "checks/audit/auditd_conf.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint32_t> bad_lines;
  static_cast<void>(gpuharden::parse_auditd_conf(gpuharden::test::text_of(data, size), bad_lines));
  return 0;
}
