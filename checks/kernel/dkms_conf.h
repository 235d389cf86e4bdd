// SPDX-License-Identifier: GPL-2.0-or-later
// dkms.conf and framework.conf: shell code that DKMS sources as root. Read as text, never run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct DkmsAssignment {
  std::string name;   // AUTOINSTALL
  std::string index;  // "0" of BUILT_MODULE_NAME[0]; empty without brackets
  std::string value;  // without quotes; variables and commands in it stay as written
  std::uint32_t line = 0;
  bool is_computed = false;  // the value holds a variable or a command, or is a list: only a shell knows it
};

struct DkmsConf {
  std::vector<DkmsAssignment> assignments;  // in file order
  std::vector<std::uint32_t> code_lines;    // lines with anything but assignments and comments

  // The last value given to `name`, without an index or with index 0; nullptr when there is none.
  const DkmsAssignment* find(std::string_view name) const;
};

DkmsConf parse_dkms_conf(std::string_view text);

}  // namespace gpuharden
