// SPDX-License-Identifier: GPL-2.0-or-later
// The guard's text, and how the one table that is ours goes into a kernel beside those of other programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <functional>

#include "engine/base/text.h"
#include "engine/native/child_call.h"
#include "engine/native/nft_control.h"
#include "remediations/nft_guard.h"
#include "tests/network/nft_loader.h"

namespace gpuharden::test {
namespace {
using testing::HasSubstr;
using testing::Not;

TEST(GuardTable, NamesPortsPeersAndBridges) {
  const auto text = guard_table({{11434, 8000, 8000}, {"10.1.2.3/16", "fd00::7", "192.0.2.9"}, {"docker0", "br-*"}});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_THAT(*text, HasSubstr("elements = { 8000, 11434 }"));
  EXPECT_THAT(*text, HasSubstr("elements = { 10.1.0.0/16, 192.0.2.9 }"));
  EXPECT_THAT(*text, HasSubstr("elements = { fd00::7 }"));
  EXPECT_THAT(*text, HasSubstr("iifname \"br-*\" accept"));
  EXPECT_TRUE(is_guard_table(*text)) << is_guard_table(*text).error().message;
  const auto bare = guard_table({{8000}, {}, {}});
  EXPECT_THAT(*bare, Not(HasSubstr("peers")));
}

TEST(GuardTable, RefusesWhatWouldGuardNothingOrSayMore) {
  const std::vector<GuardPlan> plans = {{{}, {}, {}},
                                        {{0}, {}, {}},
                                        {{8000}, {"0.0.0.0/0"}, {}},
                                        {{8000}, {"10.0.0.0/7"}, {}},
                                        {{8000}, {"::/0"}, {}},
                                        {{8000}, {"10.0.0.1/33"}, {}},
                                        {{8000}, {"10.0.0.1 } accept"}, {}},
                                        {{8000}, {"host.example"}, {}},
                                        {{8000}, {"10.0.0.1/"}, {}},
                                        {{8000}, {}, {"a\" accept"}},
                                        {{8000}, {}, {"*"}},
                                        {{8000}, {}, {"an-interface-name-too-long"}},
                                        {{8000}, {}, {""}}};
  for (const auto& plan : plans) {
    const auto text = guard_table(plan);
    ASSERT_FALSE(text) << *text;
    EXPECT_EQ(text.error().code, ErrorCode::kMalformed);
  }
}

TEST(GuardTable, ATextThatSaysMoreIsNotLoaded) {
  for (const auto* text :
       {"", "table inet other {\n}\n", "table inet gpuharden {\n}\ntable ip nat {\n}\n",
        "table inet gpuharden {\n}\nflush ruleset\n", "table inet gpuharden {\n\tinclude \"/etc/x\"\n}\n",
        "table inet gpuharden {\n", "flush ruleset\ntable inet gpuharden {\n}\n", "table inet gpuharden {\n# } \n}\n",
        "table inet gpuharden {\ndefine x = 1\n}\n", "table inet gpuharden { chain a { iifname \"}\" accept\n",
        "table inet gpuharden {\n}\n;delete table ip nat\n"}) {
    const auto status = is_guard_table(text);
    ASSERT_FALSE(status) << text;
    EXPECT_EQ(status.error().code, ErrorCode::kMalformed);
    EXPECT_EQ(replace_guard_table(std::string(text) + " ").error().code, ErrorCode::kMalformed);
  }
}

TEST(GuardUnit, LoadsTheFileThatIsWritten) {
  EXPECT_THAT(guard_unit(), HasSubstr(concat({"ExecStart=", kGuardLoader, " -f ", kGuardFile, "\n"})));
  for (const auto* line : {"After=nftables.service\n", "PartOf=nftables.service\n",
                           "ReloadPropagatedFrom=nftables.service\n", "RemainAfterExit=yes\n"})
    EXPECT_THAT(guard_unit(), HasSubstr(line));
  EXPECT_THAT(guard_file({{8000}, {}, {}}).value(),
              HasSubstr("\ntable inet gpuharden\ndelete table inet gpuharden\ntable inet gpuharden {\n"));
}

TEST(GuardFile, HoldsItsPlanUntilSomeoneChangesIt) {
  const auto text = guard_file({{8000, 11434}, {"10.0.0.0/8", "fd00::7"}, {"docker0"}}).value();
  const auto plan = read_guard_file(text);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(guard_file(*plan).value(), text);
  EXPECT_EQ(plan->peers.size(), 2U);
  for (const auto& other : {std::string(), text + " ", text.substr(0, text.size() - 2), "# ports: 8000\n" + text})
    EXPECT_EQ(read_guard_file(other).error().code, ErrorCode::kMalformed);
}

// In a network namespace of its own; "" when all is well.
void expect_in_namespace(const std::function<std::string()>& work) {
  if (!can_load_rules()) GTEST_SKIP() << "built without libnftables (package libnftables-dev)";
  const auto faults = call_in_child("rules", std::chrono::minutes(2), [&]() -> Result<std::string> {
    if (::unshare(CLONE_NEWNET) != 0) return std::string("skip only root can make a network namespace");
    return work();
  });
  ASSERT_TRUE(faults) << faults.error().message;
  if (faults->starts_with("skip ")) GTEST_SKIP() << faults->substr(5);
  EXPECT_EQ(*faults, "");
}

// Tables of the shape that Docker, kube-proxy and fail2ban make.
constexpr const char* kOthers =
    "table ip nat { chain DOCKER { tcp dport 8080 counter dnat to 172.17.0.2:80\n }\n"
    " chain PREROUTING { type nat hook prerouting priority dstnat; fib daddr type local counter jump DOCKER\n }\n }\n"
    "table ip filter { chain DOCKER-USER { counter return\n }\n"
    " chain FORWARD { type filter hook forward priority 0; policy drop; counter jump DOCKER-USER\n }\n }\n"
    "table ip kube-proxy {\n"
    " set cluster-ips { type ipv4_addr; elements = { 10.96.0.1, 10.96.0.10 }\n }\n"
    " map service-ips { type ipv4_addr . inet_proto . inet_service : verdict;\n"
    "  elements = { 10.96.0.1 . tcp . 443 : goto service-a }\n }\n"
    " chain service-a { numgen random mod 2 vmap { 0 : goto endpoint-1, 1 : goto endpoint-2 }\n }\n"
    " chain endpoint-1 { meta l4proto tcp dnat to 10.244.0.2:6443\n }\n"
    " chain endpoint-2 { meta l4proto tcp dnat to 10.244.0.3:6443\n }\n"
    " chain services { ip daddr . meta l4proto . th dport vmap @service-ips\n"
    "  ip daddr @cluster-ips reject\n }\n"
    " chain nat-prerouting { type nat hook prerouting priority dstnat; jump services\n }\n }\n"
    "table inet f2b-table { set addr-set-sshd { type ipv4_addr; elements = { 192.0.2.66 }\n }\n"
    " chain f2b-chain { type filter hook input priority filter - 1; tcp dport 22 ip saddr @addr-set-sshd reject\n }\n "
    "}\n";

std::string guard() { return guard_table({{8000, 11434}, {"10.0.0.0/8", "fd00::/16"}, {"docker0", "br-*"}}).value(); }

std::string others_stay() {
  std::string faults = load_rules(kOthers);
  const auto before = digest_of_other_tables();
  const auto again = digest_of_other_tables();
  if (!before || !again || *before != *again) return faults + "the digest is not the same twice\n";
  const auto same = [&] {
    const auto now = digest_of_other_tables();
    return now && *now == *before;
  };
  for (int time = 0; time < 20; ++time) {
    if (const auto done = replace_guard_table(guard()); !done) return faults + done.error().message;
    if (!same()) faults += "loading the guard changed another table\n";
  }
  if (!replace_guard_table("") || !same()) faults += "taking it away changed another table\n";
  if (!replace_guard_table("") || !list_guard_table()->empty()) faults += "taking it away twice is not the same\n";
  return faults;
}

// The digest must be able to differ.
std::string changes_show() {
  std::string faults;
  std::vector<std::string> digests;
  for (
      const std::string text :
      {"table ip nat { chain a { tcp dport 1 accept\n }\n }\n", "table ip nat { chain a { tcp dport 2 accept\n }\n }\n",
       "table ip nat { chain b { tcp dport 1 accept\n }\n }\n",
       "table ip6 nat { chain a { tcp dport 1 accept\n }\n }\n",
       "table ip nat { set s { type ipv4_addr; elements = { 10.0.0.1 }\n }\n chain a { ip saddr @s accept\n }\n }\n",
       "table ip nat { set s { type ipv4_addr; elements = { 10.0.0.2 }\n }\n chain a { ip saddr @s accept\n }\n }\n"}) {
    faults += load_rules(text);
    const auto digest = digest_of_other_tables();
    if (!digest) return faults + digest.error().message;
    if (std::find(digests.begin(), digests.end(), *digest) != digests.end()) faults += "the same digest: " + text;
    digests.push_back(*digest);
  }
  return faults;
}

// Listed again and again it is the same text, which loads and proves as itself.
std::string text_is_stable() {
  const auto proved = prove_guard_table(guard());
  if (!proved) return proved.error().message;
  std::string faults;
  for (int time = 0; time < 10; ++time) {
    if (const auto done = replace_guard_table(*proved); !done) return done.error().message;
    const auto listed = list_guard_table();
    if (!listed || *listed != *proved) faults += "listed: " + (listed ? *listed : listed.error().message);
  }
  if (const auto again = prove_guard_table(*proved); !again || *again != *proved) faults += "proved again it differs\n";
  if (is_guard_table(*proved)) return faults;
  return faults + "what nft lists is taken for more than a table\n";
}

std::string bad_texts_change_nothing() {
  std::string faults = load_rules(kOthers);
  if (!replace_guard_table(guard())) return faults + "the guard does not load\n";
  const auto before = list_guard_table();
  const auto broken = replace_guard_table("table inet gpuharden {\n\tchain a {\n\t\tjump nowhere\n\t}\n}\n");
  if (broken) return faults + "a jump to nowhere loads\n";
  if (broken.error().message.find("nft: ") != 0) faults += broken.error().message + "\n";
  if (broken.error().message.find('\n') != std::string::npos) faults += "the error has several lines\n";
  if (const auto now = list_guard_table(); !before || !now || *now != *before) faults += "the old table is gone\n";
  if (prove_guard_table("table inet gpuharden {\n\tchain a {\n\t\ttcp dport 99999 drop\n\t}\n}\n"))
    faults += "a port that cannot be is proved\n";
  return faults;
}

TEST(GuardTable, LeavesTablesOfOthersAlone) { expect_in_namespace(&others_stay); }
TEST(GuardTable, TheDigestOfOthersTellsThemApart) { expect_in_namespace(&changes_show); }
TEST(GuardTable, ReadsBackAsItWasProved) { expect_in_namespace(&text_is_stable); }
TEST(GuardTable, ATextThatDoesNotLoadChangesNothing) { expect_in_namespace(&bad_texts_change_nothing); }

TEST(CallInChild, AnswersFailsHangsAndDies) {
  const auto quick = std::chrono::milliseconds(200);
  EXPECT_EQ(call_in_child("x", std::chrono::seconds(60), [] { return Result<std::string>("yes"); }).value(), "yes");
  const auto error = call_in_child("x", std::chrono::seconds(60), [] {
    return Result<std::string>(Error{ErrorCode::kStale, "old"});
  });
  EXPECT_EQ(error.error().code, ErrorCode::kStale);
  EXPECT_EQ(error.error().message, "old");
  const auto hangs = call_in_child("x", quick, []() -> Result<std::string> {
    for (;;) ::pause();
  });
  EXPECT_EQ(hangs.error().code, ErrorCode::kTimeout);
  const auto dies = call_in_child("x", std::chrono::seconds(60), []() -> Result<std::string> { ::_exit(3); });
  EXPECT_EQ(dies.error().code, ErrorCode::kLibrary);
}

}  // namespace
}  // namespace gpuharden::test
