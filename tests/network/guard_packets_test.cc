// SPDX-License-Identifier: GPL-2.0-or-later
// Real packets through the table that guards ports: what it must stop, what it must never stop, and that each of
// these connections would come about without it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/in.h>
#include <linux/netfilter.h>
#include <unistd.h>

#include <functional>

#include "checks/firewall/exposure.h"
#include "engine/base/text.h"
#include "engine/host/kernel_control.h"
#include "engine/native/child_call.h"
#include "engine/native/nft.h"
#include "engine/native/nft_control.h"
#include "remediations/nft_guard.h"
#include "tests/network/guarded_net.h"
#include "tests/network/nft_loader.h"

namespace gpuharden::test {
namespace {

constexpr int kPatience = 3000;  // milliseconds, for what must arrive
constexpr int kGlance = 250;     // for what must not

// Two published ports and the addresses of containers hidden, as Docker does it.
constexpr const char* kDocker =
    "table ip nat {\n"
    " chain PREROUTING { type nat hook prerouting priority dstnat; policy accept;\n"
    "  fib daddr type local counter jump DOCKER\n }\n"
    " chain OUTPUT { type nat hook output priority -100; policy accept;\n"
    "  ip daddr != 127.0.0.0/8 fib daddr type local counter jump DOCKER\n }\n"
    " chain POSTROUTING { type nat hook postrouting priority srcnat; policy accept;\n"
    "  oifname != \"docker0\" ip saddr 172.17.0.0/16 counter masquerade\n }\n"
    " chain DOCKER {\n"
    "  iifname \"docker0\" counter return\n"
    "  iifname != \"docker0\" tcp dport 18000 counter dnat to 172.17.0.2:8000\n"
    "  iifname != \"docker0\" tcp dport 19000 counter dnat to 172.17.0.2:9000\n }\n"
    "}\n"
    "table ip6 nat {\n"
    " chain PREROUTING { type nat hook prerouting priority dstnat; policy accept;\n"
    "  iifname != \"docker0\" tcp dport 18000 dnat to [fd17::2]:8000\n"
    "  iifname != \"docker0\" tcp dport 19000 dnat to [fd17::2]:9000\n }\n"
    "}\n";

struct Case {
  const char* what;
  Place from;
  const char* address;
  std::uint16_t port;
  bool is_stopped;             // by the guard
  std::uint16_t own_port = 0;  // the client's
};

constexpr Case kMatrix[] = {
    {"remote to host, IPv4", Place::kRemote, GuardedNet::kHost4, kGuardedPort, true},
    {"remote to host, IPv6", Place::kRemote, GuardedNet::kHost6, kGuardedPort, true},
    {"remote to the host's inner address", Place::kRemote, GuardedNet::kBridge4, kGuardedPort, true},
    {"remote to a published port, IPv4", Place::kRemote, GuardedNet::kHost4, kPublishedPort, true},
    {"remote to a published port, IPv6", Place::kRemote, GuardedNet::kHost6, kPublishedPort, true},
    {"remote to host, another port, IPv4", Place::kRemote, GuardedNet::kHost4, kOpenPort, false},
    {"remote to host, another port, IPv6", Place::kRemote, GuardedNet::kHost6, kOpenPort, false},
    {"remote to another published port", Place::kRemote, GuardedNet::kHost4, kOpenPublishedPort, false},
    {"host to loopback, IPv4", Place::kHost, "127.0.0.1", kGuardedPort, false},
    {"host to loopback, IPv6", Place::kHost, "::1", kGuardedPort, false},
    {"host to its own address, IPv4", Place::kHost, GuardedNet::kHost4, kGuardedPort, false},
    {"host to its own address, IPv6", Place::kHost, GuardedNet::kHost6, kGuardedPort, false},
    {"host to a port that it publishes", Place::kHost, GuardedNet::kHost4, kPublishedPort, false},
    {"host to remote, same port", Place::kHost, GuardedNet::kRemote4, kGuardedPort, false},
    {"host to remote from a guarded port, IPv4", Place::kHost, GuardedNet::kRemote4, kOpenPort, false, kPublishedPort},
    {"host to remote from a guarded port, IPv6", Place::kHost, GuardedNet::kRemote6, kOpenPort, false, kPublishedPort},
    {"container to host, IPv4", Place::kContainer, GuardedNet::kBridge4, kGuardedPort, false},
    {"container to host, IPv6", Place::kContainer, GuardedNet::kBridge6, kGuardedPort, false},
    {"container to remote, same port, IPv4", Place::kContainer, GuardedNet::kRemote4, kGuardedPort, false},
    {"container to remote, same port, IPv6", Place::kContainer, GuardedNet::kRemote6, kGuardedPort, false},
    {"remote to container, forwarded", Place::kRemote, GuardedNet::kContainer4, kGuardedPort, false},
};

GuardPlan plan() { return {{kGuardedPort, kPublishedPort}, {}, {"docker0"}}; }

std::string load_guard(const GuardPlan& wanted) {
  const auto text = guard_table(wanted);
  if (!text) return text.error().message;
  const auto done = replace_guard_table(*text);
  return done ? "" : done.error().message;
}

// What of the matrix is not as it should be, line by line.
std::string run_matrix(GuardedNet& net, bool is_guarded) {
  std::string faults;
  for (const auto& one : kMatrix) {
    const bool stops = is_guarded && one.is_stopped;
    const auto connection = net.connect(one.from, one.address, one.port, stops ? kGlance : kPatience, one.own_port);
    if (stops == static_cast<bool>(connection.client))
      faults += concat({one.what, stops ? " comes through" : " is stopped", is_guarded ? "\n" : " without a guard\n"});
    if (connection.client && !connection.carries()) faults += concat({one.what, " carries nothing\n"});
  }
  return faults;
}

std::string packets(GuardedNet& net) {
  std::string faults = load_rules(kDocker);
  faults += run_matrix(net, false);
  const auto session4 = net.connect(Place::kRemote, GuardedNet::kHost4, kGuardedPort, kPatience);
  const auto session6 = net.connect(Place::kRemote, GuardedNet::kHost6, kPublishedPort, kPatience);
  faults += load_guard(plan());
  if (!session4.carries() || !session6.carries()) faults += "a session that was there breaks when the guard comes\n";
  return faults + run_matrix(net, true);
}

// As nftables.service starts, restarts and reloads: everything is emptied, its own table made anew; then our
// unit loads the guard again.
std::string flushes(GuardedNet& net) {
  std::string faults = load_rules(kDocker);
  faults += load_guard(plan());
  const auto open = net.connect(Place::kRemote, GuardedNet::kHost4, kOpenPort, kPatience);
  const auto kept = list_guard_table();
  for (int time = 0; time < 2; ++time) {
    faults +=
        load_rules(concat({kDocker, "table inet filter { chain input { type filter hook input priority 0;\n }\n }\n"}));
    if (!net.connect(Place::kRemote, GuardedNet::kHost4, kGuardedPort, kPatience)) faults += "the flush left a guard\n";
    faults += load_guard(plan());
    faults += run_matrix(net, true);
  }
  if (!open.carries()) faults += "a session breaks when the guard comes again\n";
  const auto now = list_guard_table();
  if (!kept || !now || *kept != *now) faults += "the guard is another than before\n";
  return faults;
}

std::string peers(GuardedNet& net) {
  GuardPlan wanted = plan();
  wanted.peers = {"10.9.0.0/24", "10.9.0.2", "fd09::7"};
  std::string faults = load_rules(kDocker);
  faults += load_guard(wanted);
  if (!net.connect(Place::kRemote, GuardedNet::kHost4, kGuardedPort, kPatience)) faults += "a peer is stopped\n";
  if (!net.connect(Place::kRemote, GuardedNet::kHost4, kPublishedPort, kPatience)) faults += "a peer is stopped\n";
  if (net.connect(Place::kRemote, GuardedNet::kHost6, kGuardedPort, kGlance).client)
    faults += "another peer comes in\n";
  wanted = {{kGuardedPort}, {"10.9.0.3"}, {"docker*"}};
  faults += load_guard(wanted);
  if (net.connect(Place::kRemote, GuardedNet::kHost4, kGuardedPort, kGlance).client) faults += "a stranger comes in\n";
  if (!net.connect(Place::kContainer, GuardedNet::kBridge4, kGuardedPort, kPatience))
    faults += "\"docker*\" is no bridge\n";
  return faults;
}

Verdict verdict(const FilterProgram& program, Sender sender, int family, std::uint16_t port) {
  const PacketWay way{[](const std::string&) { return std::string(); },
                      [](const std::string&) { return std::optional(true); }};
  return find_exposure(program, way, {family, IPPROTO_TCP, port, sender, "eth0"}).verdict;
}

// The audit, which reads the same kernel, must agree: rules of the area firewall pass after the table is loaded.
std::string audited(GuardedNet&) {
  GuardPlan wanted = plan();
  wanted.peers = {"10.9.0.0/24", "fd09::7"};
  std::string faults = load_rules("");
  faults += load_guard(wanted);
  const auto messages = dump_nft();
  auto ruleset = messages ? decode_nft(*messages) : Result<NftRuleset>(messages.error());
  if (!ruleset) return faults + ruleset.error().message;
  const FilterProgram program(std::move(*ruleset));
  for (const int family : {NFPROTO_IPV4, NFPROTO_IPV6}) {
    const auto guarded = verdict(program, Sender::kStranger, family, kGuardedPort);
    const auto open = verdict(program, Sender::kStranger, family, kOpenPort);
    if (guarded != Verdict::kBlocked) faults += concat({"the guarded port is ", to_string(guarded), "\n"});
    if (open != Verdict::kOpen) faults += concat({"the other port is ", to_string(open), "\n"});
  }
  return faults;
}

// Steps of a plan, on the real kernel.
std::string controlled(GuardedNet& net) {
  std::string faults = load_rules(kDocker);
  const auto kernel = make_live_kernel();
  const auto text = guard_table(plan());
  const auto proved = kernel->prove_table(text.value());
  const auto none = kernel->own_table();
  if (!proved) return faults + proved.error().message;
  if (!none || !none->empty()) faults += "trying a table leaves it behind: " + (none ? *none : none.error().message);
  const auto others = kernel->other_tables();
  faults += kernel->replace_own_table(*proved) ? "" : "it does not load\n";
  if (const auto found = kernel->own_table(); !found || *found != *proved) faults += "it reads back otherwise\n";
  if (const auto now = kernel->other_tables(); !others || !now || *now != *others) faults += "others changed\n";
  faults += run_matrix(net, true);
  if (const auto now = kernel->other_tables(); !now || *now != *others) faults += "counters count as a change\n";
  faults += kernel->replace_own_table("") ? "" : "it does not go\n";
  if (const auto found = kernel->own_table(); !found || !found->empty()) faults += "it is still there\n";
  return faults + run_matrix(net, false);
}

void expect_in_net(const std::function<std::string(GuardedNet&)>& work) {
  if (!can_load_rules()) GTEST_SKIP() << "built without libnftables (package libnftables-dev)";
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make the network namespaces";
  const auto faults = call_in_child("packets", std::chrono::minutes(5), [&]() -> Result<std::string> {
    GuardedNet net;
    if (const auto fault = net.start(); !fault.empty()) return "skip " + fault;
    return work(net);
  });
  ASSERT_TRUE(faults) << faults.error().message;
  if (faults->starts_with("skip ")) GTEST_SKIP() << faults->substr(5);
  EXPECT_EQ(*faults, "");
}

TEST(GuardPackets, StrangersAreStoppedAndNobodyElse) { expect_in_net(&packets); }
TEST(GuardPackets, ComesBackAfterTheFilterIsEmptied) { expect_in_net(&flushes); }
TEST(GuardPackets, PeersAndBridgesMayConnect) { expect_in_net(&peers); }
TEST(GuardPackets, TheAuditSeesTheSame) { expect_in_net(&audited); }
TEST(GuardPackets, ThePlanLoadsTakesAwayAndLeavesOthersAlone) { expect_in_net(&controlled); }

}  // namespace
}  // namespace gpuharden::test
