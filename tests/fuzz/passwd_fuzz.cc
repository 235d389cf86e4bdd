// SPDX-License-Identifier: GPL-2.0-or-later
// The account files: passwd(5), group(5), nsswitch.conf(5), adduser.conf(5).
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "checks/accounts/adduser_conf.h"
#include "checks/accounts/passwd.h"
#include "engine/host/nsswitch.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  std::vector<std::uint32_t> bad_lines;
  gpuharden::parse_passwd(text, bad_lines);
  gpuharden::parse_group(text, bad_lines);
  gpuharden::parse_nsswitch(text, "group");
  gpuharden::parse_adduser_conf(text);
  return 0;
}
