// SPDX-License-Identifier: GPL-2.0-or-later
// The files of ld.so(8) and ldconfig(8).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct PreloadEntry {
  std::string library;
  std::uint32_t line = 0;  // from 1
};

// /etc/ld.so.preload: names between blanks, ':' and line ends; '#' starts a comment.
std::vector<PreloadEntry> parse_ld_preload(std::string_view text);

struct LdSoLine {
  enum class Kind : std::uint8_t { kFolder, kInclude };
  Kind kind = Kind::kFolder;
  std::string text;  // the folder without "=libc6" and slashes at its end; the pattern
  std::uint32_t line = 0;
};

// /etc/ld.so.conf and the files that it includes. "hwcap" lines say nothing any more.
std::vector<LdSoLine> parse_ld_so_conf(std::string_view text);

}  // namespace gpuharden
