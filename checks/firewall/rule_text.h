// SPDX-License-Identifier: GPL-2.0-or-later
// A rule of the packet filter as people write it, and what it says of ports.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/native/nft.h"

namespace gpuharden {

struct RuleSummary {
  std::string text;                  // "tcp dport 11434 ip saddr != 127.0.0.1 drop"
  std::string verdict;               // accept, drop, jump, goto, return, dnat, redirect, snat, queue, map; "" for none
  std::string target;                // chain of a jump or goto
  std::string protocol;              // tcp or udp, where the rule asks for one; else ""
  std::vector<std::uint16_t> ports;  // destination ports that it names one by one
  bool has_source = false;           // it asks for source addresses
  std::string to_address;            // of dnat
  std::optional<std::uint16_t> to_port;  // of dnat and redirect
};

// Where the sets of a ruleset are, for many rules.
class SetIndex {
 public:
  explicit SetIndex(const NftRuleset& ruleset);
  const NftSet* find(const NftRule& rule, std::string_view name) const;

 private:
  std::map<std::tuple<int, std::string, std::string>, const NftSet*> sets_;
};

RuleSummary summarise(const NftRule& rule, const SetIndex& sets);
// "inet filter input 5": family, table, chain, handle.
std::string rule_name(const NftRule& rule);
std::string chain_name(const NftChain& chain);

}  // namespace gpuharden
