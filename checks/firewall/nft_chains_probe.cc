// SPDX-License-Identifier: GPL-2.0-or-later
// The chains of the kernel's packet filter.
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>

#include <algorithm>
#include <map>

#include "checks/firewall/firewall_facts.h"
#include "checks/system/json_list.h"
#include "engine/base/text.h"
#include "engine/native/nft_text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"chain", ColumnType::kText, "family, table and chain: \"inet filter input\"",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"family", ColumnType::kText, "inet, ip, ip6, arp, bridge or netdev", ColumnFlag::kNotNull},
    {"table_name", ColumnType::kText, "the table's name", ColumnFlag::kNotNull},
    {"chain_name", ColumnType::kText, "the chain's own name", ColumnFlag::kNotNull},
    {"hook", ColumnType::kText,
     "prerouting, input, forward, output, postrouting, ingress or egress; NULL for a chain that others jump to"},
    {"priority", ColumnType::kInteger, "lower ones run first; NULL as for hook"},
    {"type", ColumnType::kText, "filter, nat or route; NULL as for hook"},
    {"policy", ColumnType::kText, "accept or drop: what becomes of a packet that no rule decides on; NULL as for hook"},
    {"devices", ColumnType::kText, "JSON list of the interfaces of an ingress or egress chain", ColumnFlag::kNotNull},
    {"rules", ColumnType::kInteger, "number of rules in it", ColumnFlag::kNotNull},
    {"is_active", ColumnType::kBoolean, "0 when the table is dormant: its chains see no packet", ColumnFlag::kNotNull},
    {"manager", ColumnType::kText,
     "who keeps the table, by names: docker, kubernetes, firewalld, ufw, fail2ban, libvirt, cni, iptables; NULL for "
     "others"},
};

std::string_view hook_name(const NftChain& chain) {
  static constexpr std::array<std::string_view, 6> kInet = {"prerouting", "input",       "forward",
                                                            "output",     "postrouting", "ingress"};
  if (chain.family == NFPROTO_NETDEV) return chain.hook->number == NF_NETDEV_INGRESS ? "ingress" : "egress";
  return chain.hook->number < kInet.size() ? kInet.at(chain.hook->number) : "unknown";
}

// By the chains of a table, since iptables-nft puts what several programs write into one table.
std::optional<std::string> manager_of(const std::string& table, const std::vector<std::string>& chains) {
  static constexpr std::pair<std::string_view, std::string_view> kMarks[] = {
      {"KUBE-", "kubernetes"}, {"DOCKER", "docker"}, {"ufw", "ufw"},          {"f2b-", "fail2ban"},
      {"LIBVIRT_", "libvirt"}, {"CNI-", "cni"},      {"cali-", "kubernetes"}, {"CILIUM_", "kubernetes"}};
  if (table == "firewalld") return "firewalld";
  if (table.starts_with("f2b-")) return "fail2ban";
  if (table.starts_with("kube-proxy")) return "kubernetes";
  if (table.starts_with("docker-")) return "docker";
  for (const auto& [mark, manager] : kMarks) {
    if (std::any_of(chains.begin(), chains.end(), [&](const std::string& name) { return name.starts_with(mark); }))
      return std::string(manager);
  }
  static constexpr std::string_view kIptables[] = {"INPUT", "OUTPUT", "FORWARD", "PREROUTING", "POSTROUTING"};
  const bool is_iptables = !chains.empty() && std::any_of(chains.begin(), chains.end(), [](const std::string& name) {
    return std::find(std::begin(kIptables), std::end(kIptables), name) != std::end(kIptables);
  });
  return is_iptables ? std::optional<std::string>("iptables") : std::nullopt;
}

void read_nft_chains(TableReader& out) {
  const auto& facts = out.shared().get<FirewallFacts>(out.host(), &read_firewall);
  if (facts.error) return out.gap(*facts.error);
  const auto& ruleset = facts.program->ruleset();
  std::map<std::pair<int, std::string>, std::vector<std::string>> names;
  for (const auto& chain : ruleset.chains) names[{chain.family, chain.table}].push_back(chain.name);
  std::set<std::pair<int, std::string>> dormant;
  for (const auto& table : ruleset.tables) {
    if ((table.flags & NFT_TABLE_F_DORMANT) != 0) dormant.emplace(table.family, table.name);
  }
  for (const auto& chain : ruleset.chains) {
    const auto* rules = facts.program->find(chain.family, chain.table, chain.name);
    auto row = out.row();
    row.set("chain", chain_name(chain))
        .set("family", nft_family_name(chain.family))
        .set("table_name", chain.table)
        .set("chain_name", chain.name)
        .set("rules", static_cast<std::int64_t>(rules == nullptr ? 0 : rules->rules.size()))
        .set("is_active", !dormant.contains({chain.family, chain.table}))
        .set("devices", json_list(chain.hook ? chain.hook->devices : std::vector<std::string>()))
        .set("manager", manager_of(chain.table, names[{chain.family, chain.table}]));
    if (!chain.hook) continue;
    row.set("hook", hook_name(chain))
        .set("priority", std::int64_t{chain.hook->priority})
        .set("type", chain.type)
        .set("policy", chain.policy.value_or(NF_ACCEPT) == NF_DROP ? "drop" : "accept");
  }
}

}  // namespace

Probe nft_chains_probe() {
  return {{"nft_chains",
           "The chains of nf_tables as they are in the kernel now, those of iptables-nft too. Base chains have a hook.",
           kColumns},
          &read_nft_chains};
}

}  // namespace gpuharden
