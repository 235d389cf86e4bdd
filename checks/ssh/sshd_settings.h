// SPDX-License-Identifier: GPL-2.0-or-later
// What sshd makes of its configuration: includes, Match blocks, the first value, defaults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/ssh/sshd_conf.h"
#include "engine/base/result.h"
#include "engine/host/files.h"

namespace gpuharden {

struct SshdSetting {
  std::string option;
  std::vector<std::string> words;
  std::string match;             // criteria of the Match block, "" outside; "all" for a block without a condition
  std::uint32_t match_line = 0;  // of that block, in `match_file`
  std::string match_file;
  std::string file;  // empty for the command line
  std::uint32_t line = 0;
  bool is_effective = false;  // no earlier line decides instead
};

struct SshdSettings {
  std::vector<SshdSetting> settings;  // in the order in which sshd reads them
  std::vector<Error> errors;          // files that could not be read, or that sshd refuses
};

// `from_command` are the -o options of the command line, which come first. sshd's rules:
// - outside of Match blocks the first value counts, wherever the file stands that an Include names;
// - a value of a matching block wins over those outside, also when these come first;
// - of several matching blocks the first one that has the option wins;
// - a Match block ends with its file, and holds for the files that are included in it.
SshdSettings read_sshd_settings(const Files& files, std::string_view path, std::vector<SshdLine> from_command = {});

struct SshdDefault {
  std::string_view option, value;
};
// What holds where nothing is set; the same in OpenSSH 8.7 to 10.
std::vector<SshdDefault> sshd_defaults();

}  // namespace gpuharden
