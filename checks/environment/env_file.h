// SPDX-License-Identifier: GPL-2.0-or-later
// Files of KEY=VALUE lines. Each reader has rules of its own, and none is the shell's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct EnvLine {
  std::string name, value;
  std::uint32_t line = 0;  // where the assignment begins, from 1
};

struct EnvText {
  std::vector<EnvLine> lines;
  std::vector<std::uint32_t> bad_lines;  // no assignment, or a name that is refused ("export X")
};

// EnvironmentFile= and environment.d, as systemd reads them: '#' and ';' are comments at the start
// of a line only, quotes count at the start of a value, backslash-newline joins. No expansion.
EnvText parse_systemd_env_file(std::string_view text);

// /etc/environment as pam_env reads it: '#' anywhere begins a comment, "export " is skipped, one
// pair of outer quotes goes.
EnvText parse_pam_environment(std::string_view text);

// /etc/security/pam_env.conf and ~/.pam_environment: NAME DEFAULT=value OVERRIDE=value, and
// NAME=value. Both values are given; ${X} and @{X} stay as they are written.
EnvText parse_pam_env_conf(std::string_view text);

// Crontabs: NAME = value lines between the jobs; one pair of outer quotes goes. Jobs are no bad lines.
EnvText parse_crontab_variables(std::string_view text);

// ~/.ssh/environment: NAME=value to the end of the line, '#' at the start of a line.
EnvText parse_ssh_environment(std::string_view text);

// [A-Za-z_][A-Za-z0-9_]*
bool is_variable_name(std::string_view name);

// Expansion of environment.d: $X, ${X}, ${X:-word}, ${X:+word} of variables set earlier in `known`;
// of others the text stays.
std::string expand_environment_d(std::string_view value, const std::vector<EnvLine>& known);

}  // namespace gpuharden
