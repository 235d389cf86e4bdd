// SPDX-License-Identifier: GPL-2.0-or-later
// What the audit says of a port is held against real packets through a thousand random sets of rules: never "blocked"
// where one arrived, never "open" where one was dropped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/in.h>
#include <linux/netfilter.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <map>

#include "checks/firewall/exposure.h"
#include "engine/base/text.h"
#include "engine/native/nft.h"
#include "engine/native/nft_text.h"
#include "tests/network/nft_loader.h"
#include "tests/network/random_rules.h"
#include "tests/network/two_hosts.h"

namespace gpuharden::test {
namespace {

constexpr int kSets = 1000;
constexpr int kPatience = 3000;  // milliseconds, for what must arrive
constexpr int kGlance = 3;       // for what need not

// Of a run that looks at one seed again.
std::uint32_t first_seed() {
  const char* text = std::getenv("GPUHARDEN_FIREWALL_SEED");
  return text == nullptr ? 1 : static_cast<std::uint32_t>(parse_unsigned(text).value_or(1));
}

int count_of_sets() {
  const char* text = std::getenv("GPUHARDEN_FIREWALL_SETS");
  return text == nullptr ? kSets : static_cast<int>(parse_unsigned(text).value_or(kSets));
}

// What the random sets came to, as lines for the parent.
struct Tally {
  std::map<std::string, int> counts;
  std::string faults;
};

// Captures say the same as the kernel did.
std::string check_round_trip(const NftRuleset& ruleset) {
  const auto again = decode_nft(encode_nft(ruleset));
  if (!again || !(*again == ruleset)) return "encoded and decoded again, the rules differ";
  std::vector<NftTextFault> faults;
  const auto text = format_nft_text(ruleset);
  const auto parsed = parse_nft_text(text, faults);
  if (!faults.empty()) return concat({"text, line ", std::to_string(faults[0].line), ": ", faults[0].sentence});
  return format_nft_text(parsed) == text ? "" : "written as text and read again, the rules differ";
}

PacketWay way_of_two_hosts() {
  return {[](const std::string&) { return std::string(); }, [](const std::string&) { return std::optional(true); }};
}

void compare(TwoHosts& hosts, const FilterProgram& program, std::uint32_t seed, Tally& tally) {
  const auto way = way_of_two_hosts();
  const std::uint16_t port = kPorts[seed % kPorts.size()];
  for (const int family : {AF_INET, AF_INET6}) {
    for (const int protocol : {IPPROTO_TCP, IPPROTO_UDP}) {
      const auto exposure = find_exposure(program, way,
                                          {family == AF_INET ? NFPROTO_IPV4 : NFPROTO_IPV6,
                                           static_cast<std::uint8_t>(protocol), port, Sender::kAnyone, ""});
      const int patience = exposure.verdict == Verdict::kOpen ? kPatience : kGlance;
      const bool arrives = protocol == IPPROTO_TCP ? hosts.connects(family, port, patience)
                                                   : hosts.datagram_arrives(family, port, patience);
      ++tally.counts[concat({to_string(exposure.verdict), arrives ? " arrived" : " dropped"})];
      const bool is_wrong = arrives ? exposure.verdict == Verdict::kBlocked : exposure.verdict == Verdict::kOpen;
      if (!is_wrong) continue;
      tally.faults += concat({"seed ", std::to_string(seed), ": ", protocol == IPPROTO_TCP ? "tcp " : "udp ",
                              std::to_string(port), family == AF_INET ? " over IPv4" : " over IPv6", " is said to be ",
                              to_string(exposure.verdict), arrives ? " but arrived\n" : " but was dropped\n"});
    }
  }
}

void try_seed(TwoHosts& hosts, std::uint32_t seed, Tally& tally) {
  const auto refusal = load_rules(random_rules(seed));
  if (!refusal.empty()) {
    ++tally.counts["not loaded"];
    return;
  }
  const auto messages = dump_nft();
  auto ruleset = messages ? decode_nft(*messages) : Result<NftRuleset>(messages.error());
  if (!ruleset) {
    tally.faults += concat({"seed ", std::to_string(seed), ": ", ruleset.error().message, "\n"});
    return;
  }
  ++tally.counts["sets"];
  if (const auto fault = check_round_trip(*ruleset); !fault.empty())
    tally.faults += concat({"seed ", std::to_string(seed), ": ", fault, "\n"});
  const FilterProgram program(std::move(*ruleset));
  compare(hosts, program, seed, tally);
}

std::string send_packets() {
  TwoHosts hosts;
  if (const auto fault = hosts.start(); !fault.empty()) return "skip " + fault;
  Tally tally;
  const int wanted = count_of_sets();
  for (std::uint32_t seed = first_seed(); tally.counts["sets"] < wanted && tally.counts["not loaded"] <= wanted;
       ++seed) {
    try_seed(hosts, seed, tally);
    if (std::count(tally.faults.begin(), tally.faults.end(), '\n') > 20) break;
  }
  std::string out = tally.faults;
  for (const auto& [what, count] : tally.counts) out += concat({"= ", what, " ", std::to_string(count), "\n"});
  return out;
}

// The namespaces end with the child.
std::string in_child(const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return "skip no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const auto text = work();
    const auto written = ::write(ends[1], text.data(), text.size());
    ::_exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text;
  char block[4096];
  for (auto count = ::read(ends[0], block, sizeof block); count > 0; count = ::read(ends[0], block, sizeof block))
    text.append(block, static_cast<std::size_t>(count));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0 ? text : text + "the child ended with status " + std::to_string(status) + "\n";
}

TEST(FirewallPackets, ArriveAndAreDroppedAsTheAuditSays) {
  if (!can_load_rules()) GTEST_SKIP() << "built without libnftables (package libnftables-dev)";
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make the network namespaces";
  const auto text = in_child(&send_packets);
  if (text.starts_with("skip ")) GTEST_SKIP() << text.substr(5);
  std::string faults;
  std::map<std::string, int> counts;
  for (const auto line : split(text, '\n')) {
    const auto number = line.rfind(' ');
    if (!line.starts_with("= ")) {
      if (!line.empty()) faults += concat({line, "\n"});
      continue;
    }
    counts[std::string(line.substr(2, number - 2))] =
        static_cast<int>(parse_unsigned(line.substr(number + 1)).value_or(0));
    std::cout << line.substr(2) << "\n";
  }
  EXPECT_EQ(faults, "");
  EXPECT_GE(counts["sets"], count_of_sets());
  // Answers that say nothing would never be wrong.
  EXPECT_GT(counts["blocked dropped"], counts["sets"]);
  EXPECT_GT(counts["open arrived"], counts["sets"]);
}

}  // namespace
}  // namespace gpuharden::test
