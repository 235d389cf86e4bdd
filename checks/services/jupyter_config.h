// SPDX-License-Identifier: GPL-2.0-or-later
// Jupyter's configuration files: what they set for certain, and what they may set.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace gpuharden {

struct JupyterTrait {
  std::string value;       // a text, or a number, True, False, None as written
  bool is_unread = false;  // it is set to something that only running the file would tell
  std::uint32_t line = 0;  // 0 in JSON
};

struct JupyterConfig {
  std::map<std::string, JupyterTrait, std::less<>> traits;  // "ServerApp.ip"
  bool is_opaque = false;                                   // the file may set anything
};

// A Python configuration file. Only assignments of literals at the outermost level are believed;
// "c.A.b" anywhere else makes that trait unread, and code that could set any trait (load_subconfig,
// exec, a use of `c` as a whole …) makes the file opaque.
JupyterConfig parse_jupyter_python(std::string_view text);

// A JSON configuration file; kMalformed when it is none.
Result<JupyterConfig> parse_jupyter_json(std::string_view text);

}  // namespace gpuharden
