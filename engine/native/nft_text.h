// SPDX-License-Identifier: GPL-2.0-or-later
// The rules of a packet filter as lines of text, for captures: what the kernel said, word for word, but readable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/native/nft.h"

namespace gpuharden {

// One line for each table, chain, rule, set and element; parse_nft_text() gives the same back:
//   table inet filter
//   chain inet filter input type=filter hook=1 priority=0 policy=drop
//   set inet filter ports flags=3 key=2
//   element inet filter ports key=0016
//   rule inet filter input 4 ; meta key=16 dreg=1 ; cmp sreg=1 op=0 data=0x06 ; immediate dreg=0 data=accept
std::string format_nft_text(const NftRuleset& ruleset);

struct NftTextFault {
  std::size_t line = 1;  // from 1
  std::string sentence;
};
// Blank lines and lines that start with '#' are passed over.
NftRuleset parse_nft_text(std::string_view text, std::vector<NftTextFault>& faults);

// "inet", "ip", "ip6", "arp", "bridge", "netdev", or the number.
std::string nft_family_name(int family);
// "accept", "drop", "jump:chain", …, or the number.
std::string nft_verdict_name(const NftVerdict& verdict);

}  // namespace gpuharden
