// SPDX-License-Identifier: GPL-2.0-or-later
// The rules of the kernel's packet filter.
#include <map>

#include "checks/firewall/firewall_facts.h"
#include "checks/system/json_list.h"
#include "engine/base/text.h"
#include "engine/native/nft_text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"rule", ColumnType::kText, "family, table, chain and handle: \"inet filter input 5\"",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"chain", ColumnType::kText, "family, table and chain, as in nft_chains", ColumnFlag::kNotNull},
    {"family", ColumnType::kText, "inet, ip, ip6, arp, bridge or netdev", ColumnFlag::kNotNull},
    {"position", ColumnType::kInteger, "place in its chain, from 1", ColumnFlag::kNotNull},
    {"text", ColumnType::kText, "the rule about as nft or iptables writes it", ColumnFlag::kNotNull},
    {"verdict", ColumnType::kText,
     "accept, drop (reject too), jump, goto, return, dnat, redirect, snat, queue or map; NULL when it has none"},
    {"target", ColumnType::kText, "the chain of a jump or goto"},
    {"protocol", ColumnType::kText, "tcp or udp, where the rule asks for one of them"},
    {"ports", ColumnType::kText, "JSON list of destination ports that it names one by one, without ranges",
     ColumnFlag::kNotNull},
    {"has_source", ColumnType::kBoolean, "whether it asks for source addresses", ColumnFlag::kNotNull},
    {"to_address", ColumnType::kText, "where dnat sends the packet"},
    {"to_port", ColumnType::kInteger, "the port that dnat or redirect sends it to"},
};

void read_nft_rules(TableReader& out) {
  const auto& facts = out.shared().get<FirewallFacts>(out.host(), &read_firewall);
  if (facts.error) return out.gap(*facts.error);
  std::map<std::string, std::int64_t> positions;
  for (const auto& rule : facts.program->ruleset().rules) {
    const auto summary = summarise(rule, *facts.sets);
    const std::string chain = concat({nft_family_name(rule.family), " ", rule.table, " ", rule.chain});
    std::vector<std::string> ports;
    for (const auto port : summary.ports) ports.push_back(std::to_string(port));
    auto row = out.row();
    row.set("rule", rule_name(rule))
        .set("chain", chain)
        .set("family", nft_family_name(rule.family))
        .set("position", ++positions[chain])
        .set("text", summary.text)
        .set("ports", json_list(ports))
        .set("has_source", summary.has_source)
        .set("to_port", summary.to_port);
    if (!summary.verdict.empty()) row.set("verdict", summary.verdict);
    if (!summary.target.empty()) row.set("target", summary.target);
    if (!summary.protocol.empty()) row.set("protocol", summary.protocol);
    if (!summary.to_address.empty()) row.set("to_address", summary.to_address);
  }
}

}  // namespace

Probe nft_rules_probe() {
  return {
      {"nft_rules",
       "The rules of nf_tables as they are in the kernel now, those of iptables-nft too. Rules of legacy iptables are "
       "not here.",
       kColumns},
      &read_nft_rules};
}

}  // namespace gpuharden
