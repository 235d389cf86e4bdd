// SPDX-License-Identifier: GPL-2.0-or-later
// What becomes of packets, for rules as they are found on servers. tests/network holds random ones against the kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/text.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kTcp = " ; meta key=16 dreg=1 ; cmp sreg=1 op=0 data=0x06";
constexpr const char* kDport = " ; payload dreg=1 base=2 offset=2 len=2";
constexpr const char* kInput = "chain inet f input type=filter hook=1 priority=0 policy=";

std::string indented(const std::string& lines) {
  std::string out = "nft: |\n";
  for (const auto line : split(std::string_view(lines), '\n')) out += concat({"  ", line, "\n"});
  return out + "links: []\n";
}

class FirewallExposure : public testing::Test {
 public:
  FirewallExposure& rules(const std::string& lines) {
    capture_.yaml(indented("table inet f\n" + lines));
    return *this;
  }
  TableText table(const char* port = "11434") {
    return read_table(*capture_.open(), "firewall_exposure", {{"protocol", "tcp"}, {"port", port}});
  }
  std::string verdicts(const char* port = "11434") {
    const auto found = table(port);
    std::string out;
    for (const auto& row : found.rows) out += row.at("verdict") + "/" + row.at("strangers") + " ";
    return out;
  }
  Capture capture_;
};

TEST_F(FirewallExposure, IsOpenWithoutRules) { EXPECT_EQ(rules("").verdicts(), "open/open open/open "); }

TEST_F(FirewallExposure, FollowsAPolicy) {
  rules(std::string(kInput) + "drop\nrule inet f input 2" + kTcp + kDport +
        " ; cmp sreg=1 op=0 data=0x0016 ; immediate dreg=0 data=accept\n");
  EXPECT_EQ(verdicts(), "blocked/blocked blocked/blocked ");
  EXPECT_EQ(table("22").rows.at(0).at("verdict"), "open");
  EXPECT_EQ(table().rows.at(0).at("decided_by"), "inet f input: its policy");
}

// The guide's rule, domain.md 1B 6: IPv6 stays open, and who is 127.0.0.1 is dropped by nobody.
TEST_F(FirewallExposure, KnowsThatARuleForIpv4AddressesLeavesIpv6Open) {
  rules(std::string(kInput) + "accept\nrule inet f input 2" + kTcp + kDport +
        " ; cmp sreg=1 op=0 data=0x2caa ; meta key=15 dreg=1 ; cmp sreg=1 op=0 data=0x02 ; payload dreg=1 base=1 "
        "offset=12 len=4 ; cmp sreg=1 op=1 "
        "data=0x7f000001 ; immediate dreg=0 data=drop\n");
  EXPECT_EQ(verdicts(), "restricted/blocked open/open ");
}

TEST_F(FirewallExposure, TellsListedSendersFromStrangers) {
  const std::string accept =
      kTcp + std::string(" ; meta key=15 dreg=1 ; cmp sreg=1 op=0 data=0x02 ; payload dreg=1 base=1 offset=12 len=");
  rules(std::string(kInput) + "drop\nrule inet f input 2" + accept +
        "1 ; cmp sreg=1 op=0 data=0x0a ; immediate dreg=0 data=accept\n");
  EXPECT_EQ(verdicts(), "restricted/blocked blocked/blocked ");
}

// Half of the Internet is no list of senders.
TEST_F(FirewallExposure, TakesAShortNetworkForStrangers) {
  rules(std::string(kInput) +
        "drop\nrule inet f input 2 ; meta key=15 dreg=1 ; cmp sreg=1 op=0 data=0x02 ; payload dreg=1 base=1 offset=12 "
        "len=4 ; bitwise sreg=1 dreg=1 len=4 "
        "mask=0x80000000 xor=0x00000000 ; cmp sreg=1 op=0 data=0x80000000 ; immediate dreg=0 data=accept\n");
  EXPECT_EQ(verdicts(), "restricted/restricted blocked/blocked ");
}

TEST_F(FirewallExposure, DoesNotGuessAtLimits) {
  rules(std::string(kInput) +
        "drop\nrule inet f input 2 ; limit rate=3 unit=60 burst=5 ; immediate dreg=0 data=accept\n");
  EXPECT_EQ(verdicts(), "unknown/unknown unknown/unknown ");
  EXPECT_THAT(table().rows.at(0).at("decided_by"), HasSubstr("inet f input 2: limit accept"));
}

TEST_F(FirewallExposure, DoesNotKnowWhatAnExpressionOfLaterKernelsDoes) {
  rules(std::string(kInput) + "drop\nrule inet f input 2 ; teleport #1=00\n");
  EXPECT_EQ(verdicts(), "unknown/unknown unknown/unknown ");
}

TEST_F(FirewallExposure, DoesNotTrustASetThatWasNotReadWhole) {
  rules(std::string("set inet f ports flags=2 key=2\nelement inet f ports key=2caa\ncut inet f ports\n") + kInput +
        "accept\nrule inet f input 2" + kTcp + kDport + " ; lookup set=ports sreg=1 ; immediate dreg=0 data=drop\n");
  EXPECT_EQ(verdicts(), "unknown/unknown unknown/unknown ");
}

TEST_F(FirewallExposure, IsUnknownWhereLegacyRulesArePresent) {
  capture_.file("/proc/net/ip_tables_names", "filter\nnat\n");
  rules(std::string(kInput) + "drop\n");
  EXPECT_EQ(verdicts(), "unknown/unknown blocked/blocked ");
  EXPECT_EQ(table().rows.at(0).at("decided_by"), "legacy iptables (filter, nat)");
}

TEST_F(FirewallExposure, IsUnknownBehindVirtualServersAndPrograms) {
  capture_.file("/proc/net/ip_vs",
                "IP Virtual Server\nProt LocalAddress:Port\n  -> RemoteAddress:Port\nTCP  0A000001:2CAA rr\n");
  capture_.yaml("nft: |\n  table inet f\n  " + std::string(kInput) +
                "drop\nlinks: [{name: eth0, index: 2, xdp: true}]\n");
  EXPECT_EQ(verdicts(), "unknown/unknown unknown/unknown ");
  EXPECT_EQ(table().rows.at(0).at("decided_by"), "an XDP program on eth0, virtual servers (IPVS)");
}

TEST_F(FirewallExposure, PassesOverADormantTable) {
  capture_.yaml("nft: |\n  table inet f flags=1\n  " + std::string(kInput) + "drop\nlinks: []\n");
  EXPECT_EQ(verdicts(), "open/open open/open ");
}

TEST_F(FirewallExposure, EndsWhereRulesMultiplyWithoutEnd) {
  std::string lines;
  for (int i = 0; i < 16; ++i) lines += "chain inet f c" + std::to_string(i) + "\n";
  lines += std::string(kInput) + "drop\nrule inet f input 1 ; immediate dreg=0 data=jump:c0\n";
  for (int i = 0; i < 15; ++i) {
    for (int twice = 0; twice < 8; ++twice)
      lines += concat(
          {"rule inet f c", std::to_string(i), " 1 ; immediate dreg=0 data=jump:c", std::to_string(i + 1), "\n"});
  }
  EXPECT_EQ(rules(lines).verdicts(), "unknown/unknown unknown/unknown ");
}

TEST_F(FirewallExposure, IsAGapWithoutAnswerOfTheKernel) {
  EXPECT_THAT(table().gap_words(), ElementsAre("* * unsupported"));
  capture_.file("/etc/os-release", "ID=debian\n");
  EXPECT_THAT(read_table(*capture_.open_image(), "firewall_exposure", {{"protocol", "tcp"}, {"port", "1"}}).gap_words(),
              ElementsAre("* * not-held"));
}

TEST_F(FirewallExposure, IsAGapWithoutAPort) {
  EXPECT_THAT(rules("").table("none").gap_words(), ElementsAre("* * malformed"));
}

}  // namespace
}  // namespace gpuharden::test
