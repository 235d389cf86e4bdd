// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "checks/environment/env_file.h"
#include "checks/environment/variable.h"
#include "checks/system/redaction.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(gpuharden::parse_pam_environment(text));
  static_cast<void>(gpuharden::parse_pam_env_conf(text));
  static_cast<void>(gpuharden::parse_crontab_variables(text));
  static_cast<void>(gpuharden::parse_ssh_environment(text));
  const auto file = gpuharden::parse_systemd_env_file(text);
  for (const auto& line : file.lines) {
    static_cast<void>(gpuharden::expand_environment_d(line.value, {}));
    static_cast<void>(gpuharden::has_current_folder_element(line.name, line.value));
    static_cast<void>(gpuharden::absolute_paths(line.value));
    static_cast<void>(gpuharden::parse_umask(line.value));
    static_cast<void>(gpuharden::redact_text(line.value, {line.name, line.value}));
  }
  return 0;
}
