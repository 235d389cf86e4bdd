// SPDX-License-Identifier: GPL-2.0-or-later
// The lines of sshd_config(5), as sshd splits them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct SshdLine {
  std::string option;              // in lower case, aliases replaced by today's name
  std::vector<std::string> words;  // without quotes; of Match the criteria
  std::uint32_t line = 0;          // from 1
  bool is_bad = false;             // an unclosed quote: sshd refuses the file
};

// Comments and empty lines are left out. '=' may stand between option and value once; '#' begins a
// comment where a word would begin; ' and " quote, \ takes the quotes and itself literally.
std::vector<SshdLine> parse_sshd_conf(std::string_view text);

// "challengeresponseauthentication" is kbdinteractiveauthentication, and so on. Takes and gives
// lower case.
std::string_view canonical_sshd_option(std::string_view name);

// Options whose lines add up; of others the first line counts.
bool adds_up(std::string_view option);

}  // namespace gpuharden
