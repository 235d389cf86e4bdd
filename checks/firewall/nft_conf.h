// SPDX-License-Identifier: GPL-2.0-or-later
// Files with rules as nft reads them: only what tables they make, and whether they empty the filter first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct NftConf {
  struct Table {
    std::string family, name;
    std::uint32_t line = 0;
  };
  std::vector<Table> tables;
  std::vector<std::string> includes;  // as written: names or patterns
  bool flushes = false;               // "flush ruleset"
};

NftConf parse_nft_conf(std::string_view text);

}  // namespace gpuharden
