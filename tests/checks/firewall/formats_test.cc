// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/firewall/host_routes.h"
#include "checks/firewall/nft_conf.h"
#include "checks/firewall/rule_text.h"
#include "engine/native/nft_text.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names(const NftConf& conf) {
  std::vector<std::string> out;
  for (const auto& table : conf.tables)
    out.push_back(table.family + " " + table.name + " " + std::to_string(table.line));
  return out;
}

TEST(NftConf, FindsTablesInEveryNotation) {
  const auto conf = parse_nft_conf(
      "#!/usr/sbin/nft -f\nflush ruleset\ninclude \"/etc/nftables.d/*.nft\"\n"
      "table inet filter { # table ip no\n  chain input { type filter hook input priority 0; }\n}\n"
      "add table ip6 raw; table nat {\n}\n");
  EXPECT_THAT(names(conf), ElementsAre("inet filter 4", "ip6 raw 7", "ip nat 7"));
  EXPECT_THAT(conf.includes, ElementsAre("/etc/nftables.d/*.nft"));
  EXPECT_TRUE(conf.flushes);
}

TEST(NftConf, TakesNothingFromCommentsAndDeletions) {
  const auto conf =
      parse_nft_conf("# flush ruleset\n# table inet a {\ndelete table inet b\ndefine x = \"table inet c\"\n");
  EXPECT_THAT(names(conf), IsEmpty());
  EXPECT_FALSE(conf.flushes);
}

TEST(HostRoutes, FindTheInterfaceOfAContainer) {
  const auto routes = parse_routes4(
      "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\n"
      "eth0\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\ndocker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\n"
      "eth1\t000012AC\t0100000A\t0003\t0\t0\t0\t0000FFFF\nbad\t0\t0\t1\t0\t0\t0\tFFFFFFFFFFFFFFFF\n");
  EXPECT_EQ(interface_of(routes, "\xac\x11\x01\x03"), "docker0");
  EXPECT_EQ(interface_of(routes, "\xac\x12\x01\x03"), "");  // behind a gateway
  EXPECT_EQ(interface_of(routes, "\x08\x08\x08\x08"), "");
  EXPECT_EQ(default_interface(routes), "eth0");
}

TEST(HostRoutes, KnowTheHostsOwnAddresses) {
  EXPECT_THAT(
      parse_local4("     |-- 10.0.0.5\n        /32 host LOCAL\n     |-- 10.0.0.255\n        /32 link BROADCAST\n"),
      ElementsAre(std::string("\x0a\0\0\5", 4)));
  EXPECT_THAT(parse_local6("short 01 80 10 80 lo\n"), IsEmpty());
}

RuleSummary summary_of(const std::string& lines) {
  std::vector<NftTextFault> faults;
  const auto ruleset = parse_nft_text(lines, faults);
  return summarise(ruleset.rules.back(), SetIndex(ruleset));
}

TEST(RuleText, ReadsLikeNft) {
  const auto summary = summary_of(
      "set inet f __set0 flags=3 key=2\nelement inet f __set0 key=2caa\nelement inet f __set0 key=1f40\n"
      "rule inet f c 4 comment=AI ; meta key=16 dreg=1 ; cmp sreg=1 op=0 data=0x06 ; payload dreg=1 base=2 offset=2 "
      "len=2 ; "
      "lookup set=__set0 sreg=1 ; meta key=15 dreg=1 ; cmp sreg=1 op=0 data=0x02 ; payload dreg=1 base=1 offset=12 "
      "len=4 ; "
      "bitwise sreg=1 dreg=1 len=4 mask=0xfff00000 xor=0x00000000 ; cmp sreg=1 op=1 data=0xac100000 ; counter bytes=0 "
      "packets=0 ; immediate dreg=0 data=drop\n");
  EXPECT_EQ(summary.text, "tcp dport { 11434, 8000 } meta nfproto ipv4 ip saddr != 172.16.0.0/12 drop comment \"AI\"");
  EXPECT_EQ(summary.verdict, "drop");
  EXPECT_EQ(summary.protocol, "tcp");
  EXPECT_THAT(summary.ports, ElementsAre(11434, 8000));
  EXPECT_TRUE(summary.has_source);
}

TEST(RuleText, ReadsWhatIptablesWrites) {
  const auto summary = summary_of(
      "rule ip nat DOCKER 4 ; meta key=6 dreg=1 ; cmp sreg=1 op=1 data=0x646f636b65723000 ; meta key=16 dreg=1 ; cmp "
      "sreg=1 "
      "op=0 data=0x06 ; payload dreg=1 base=2 offset=2 len=2 ; cmp sreg=1 op=0 data=0x2caa ; target name=DNAT rev=2 "
      "info=03000000ac110003000000000000000000000000ac1100030000000000000000000000002caa2caa00000000\n");
  EXPECT_EQ(summary.text, "iifname != \"docker0\" tcp dport 11434 -j DNAT --to-destination 172.17.0.3:11434");
  EXPECT_EQ(summary.to_address, "172.17.0.3");
  EXPECT_EQ(summary.to_port, 11434);
}

TEST(NftTables, KnowWhoKeepsAChain) {
  Capture capture;
  capture.yaml(
      "nft: |\n  table ip filter\n  chain ip filter INPUT type=filter hook=1 priority=0 policy=drop\n  chain ip filter "
      "DOCKER-USER\n  rule ip filter INPUT 3 ; immediate dreg=0 data=jump:DOCKER-USER\nlinks: []\n");
  const auto host = capture.open();
  const auto chains = read_table(*host, "nft_chains");
  EXPECT_EQ(chains.where("chain", "ip filter INPUT").at("policy"), "drop");
  EXPECT_EQ(chains.where("chain", "ip filter INPUT").at("manager"), "docker");
  EXPECT_EQ(chains.where("chain", "ip filter DOCKER-USER").at("hook"), "NULL");
  EXPECT_EQ(read_table(*host, "nft_rules").where("rule", "ip filter INPUT 3").at("target"), "DOCKER-USER");
}

TEST(NftFileTables, FollowIncludesAndNameWhatIsMissing) {
  Capture capture;
  capture.file("/etc/nftables.conf", "include \"/etc/nftables.d/*.nft\"\ninclude \"gone.nft\"\n")
      .file("/etc/nftables.d/a.nft", "table inet a {}\ninclude \"/etc/nftables.conf\"\n");
  const auto table = read_table(*capture.open(), "nft_file_tables");
  EXPECT_EQ(table.where("name", "inet a").at("file"), "/etc/nftables.d/a.nft");
  EXPECT_THAT(table.gap_words(), ElementsAre("* * not-found"));
}

TEST(FirewallManagers, ReadTheirOwnFiles) {
  Capture capture;
  capture.file("/etc/ufw/ufw.conf", "# ENABLED=no\nENABLED=yes\n")
      .file("/etc/firewalld/firewalld.conf", "FlushAllOnReload=no\n");
  capture.file("/etc/nftables.conf", "flush ruleset\n").yaml("paths: {/etc/iptables/rules.v4: {type: fifo}}");
  const auto table = read_table(*capture.open(), "firewall_managers");
  EXPECT_EQ(table.where("manager", "ufw").at("is_configured"), "1");
  EXPECT_EQ(table.where("manager", "firewalld").at("flushes"), "0");
  EXPECT_EQ(table.where("manager", "nftables").at("is_configured"), "0");
  EXPECT_EQ(table.where("manager", "nftables").at("flushes"), "1");
  EXPECT_THAT(table.gap_words(), ElementsAre("netfilter-persistent * not-regular"));
}

}  // namespace
}  // namespace gpuharden::test
