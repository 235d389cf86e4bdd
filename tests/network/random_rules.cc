// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/network/random_rules.h"

#include <algorithm>
#include <random>
#include <vector>

#include "engine/base/text.h"

namespace gpuharden::test {
namespace {

using Words = std::vector<std::string>;

// Of one transport protocol or both, so that rules load whatever stands beside them.
const Words kAnyFamily = {
    "tcp dport 8000",
    "tcp dport 8888",
    "tcp dport 11434",
    "tcp dport != 11434",
    "tcp dport { 8000, 11434 }",
    "tcp dport { 22, 443, 8888 }",
    "tcp dport != { 22, 8000 }",
    "tcp dport 8000-8999",
    "tcp dport >= 11434",
    "tcp dport < 9000",
    "udp dport 8000",
    "udp dport { 53, 11434 }",
    "udp dport 1-9999",
    "udp dport != 53",
    "th dport 11434",
    "@th,16,16 8000",
    "@th,0,32 & 0xffff == 8888",
    "tcp dport & 0xff00 == 0x1f00",
    "meta l4proto tcp",
    "meta l4proto udp",
    "meta l4proto { tcp, udp }",
    "meta l4proto != tcp",
    "meta l4proto icmp",
    "meta l4proto . th dport { tcp . 8000, udp . 8888, tcp . 22 }",
    "meta l4proto . th dport { tcp . 8000-9000, udp . 1-1024 }",
    "meta protocol ip",
    "ct state new",
    "ct state established,related",
    "ct state invalid",
    "ct state { new, established }",
    "ct state != new",
    "ct direction original",
    "ct status dnat",
    "meta l4proto tcp ct original proto-dst 11434",
    "iifname \"lo\"",
    "iifname != \"lo\"",
    "iif lo",
    "iif != lo",
    "iifname \"eth0\"",
    "iifname != \"eth0\"",
    "iifname \"eth*\"",
    "iifname { \"lo\", \"docker0\" }",
    "iifname . tcp dport { \"lo\" . 8000, \"eth0\" . 8888 }",
    "meta mark 0x1",
    "meta mark & 0x2 == 0x2",
    "meta mark 0x0",
    "ct mark 0x1",
    "fib daddr type local",
    "fib daddr type != local",
    "fib saddr . iif oif missing",
    "meta pkttype host",
    "meta pkttype { broadcast, multicast }",
    "tcp flags syn",
    "tcp flags & (fin|syn|rst|ack) == syn",
    "tcp flags & (fin|syn|rst|ack) != syn",
    "tcp flags ack",
    "tcp sport 1024-65535",
    "tcp sport < 1024",
    "meta length < 40",
    "meta length > 20",
    "limit rate 1000/second",
    "limit rate over 1/day burst 1 packets",
    "numgen random mod 2 0",
    "ether saddr 02:00:00:00:00:02",
    "tcp dport @ports",
    "udp dport @ports",
    "tcp dport @ranges",
    "tcp dport != @ranges",
    "th dport . meta l4proto @pairs",
};
const Words kIpv4 = {
    "ip saddr 10.9.0.2",
    "ip saddr != 10.9.0.2",
    "ip saddr 10.0.0.0/8",
    "ip saddr 192.168.0.0/16",
    "ip saddr { 10.9.0.0/24, 172.16.0.0/12 }",
    "ip saddr != { 127.0.0.0/8, 10.1.0.0/16 }",
    "ip daddr 10.9.0.1",
    "ip daddr != 10.9.0.1",
    "ip protocol tcp",
    "ip protocol { udp, icmp }",
    "ip saddr . tcp dport { 10.9.0.2 . 8000, 10.1.0.1 . 11434 }",
    "ip saddr . tcp dport { 10.9.0.0/24 . 8000-9000 }",
    "ip ttl > 1",
    "ip frag-off & 0x1fff == 0",
    "ip version 4",
};
const Words kIpv6 = {
    "ip6 saddr fd09::2",
    "ip6 saddr != fd09::2",
    "ip6 saddr fd00::/8",
    "ip6 saddr { fd09::/64, 2001:db8::/32 }",
    "ip6 daddr fd09::1",
    "ip6 daddr != { fd09::1, fd09::3 }",
    "ip6 nexthdr tcp",
    "ip6 hoplimit > 1",
    "ip6 saddr . udp dport { fd09::2 . 8888 }",
};
const Words kInetOnly = {"meta nfproto ipv4", "meta nfproto ipv6", "meta nfproto { ipv6 }"};
const Words kActions = {"counter",
                        "meta mark set 0x1",
                        "meta mark set meta mark | 0x2",
                        "ct mark set 0x1",
                        "meta mark set ct mark",
                        "ip dscp set cs1",
                        "meta priority set 1:1"};
const Words kMaps = {
    "tcp dport vmap { 8000 : accept, 8888 : drop, 11434 : jump J }",
    "tcp dport vmap { 1-8000 : drop, 8001-9000 : accept }",
    "ct state vmap { established : accept, related : accept, invalid : drop }",
    "ct state vmap { new : jump J, established : accept }",
    "meta l4proto vmap { tcp : goto J, udp : accept }",
    "iifname vmap { \"lo\" : accept, \"eth0\" : jump J }",
    "meta mark set tcp dport map { 8000 : 0x1, 8888 : 0x2 }",
    "meta l4proto . th dport vmap { tcp . 8000 : drop, udp . 8888-9000 : accept }",
};

class Writer {
 public:
  explicit Writer(std::uint32_t seed) : random_(seed) {}

  std::string write() {
    std::string out;
    const int tables = 1 + below(3);
    for (int i = 0; i < tables; ++i) out += table("t" + std::to_string(i));
    return out;
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }
  const std::string& one_of(const Words& words) { return words[random_() % words.size()]; }
  bool chance(int percent) { return below(100) < percent; }

  // One that may stand in a rule behind what is there already: nft refuses what can never be.
  std::string condition() {
    for (int attempt = 0; attempt < 50; ++attempt) {
      const auto& words = any_condition();
      if (!contradicts(words)) return asked_ += words + " ", words;
    }
    return "counter";
  }

  const std::string& any_condition() {
    if (family_ != "ip6" && chance(20)) return one_of(kIpv4);
    if (family_ != "ip" && chance(20)) return one_of(kIpv6);
    return family_ == "inet" && chance(8) ? one_of(kInetOnly) : one_of(kAnyFamily);
  }

  bool contradicts(const std::string& words) const {
    static constexpr std::pair<std::string_view, std::string_view> kSides[] = {
        {"tcp", "udp"},   {"tcp", "icmp"},         {"udp", "icmp"},         {"ip ", "ip6 "}, {"ip ", "ipv6"},
        {"ip6 ", "ipv4"}, {"ip6 ", "protocol ip"}, {"ipv6", "protocol ip"}, {"ipv6", "ipv4"}};
    const auto has = [](const std::string& text, std::string_view word) {
      return text.find(word) != std::string::npos;
    };
    return std::any_of(std::begin(kSides), std::end(kSides), [&](const auto& side) {
      return (has(asked_, side.first) && has(words, side.second)) ||
             (has(asked_, side.second) && has(words, side.first));
    });
  }

  // The name of a chain behind this one, so that no rules go in circles.
  std::string later_chain() {
    return chain_ + 1 < chains_ ? "c" + std::to_string(chain_ + 1 + below(chains_ - chain_ - 1)) : "";
  }

  std::string verdict() {
    const auto chain = later_chain();
    const int what = below(12);
    if (what < 3) return "accept";
    if (what < 6) return "drop";
    if (what == 6 && hook_ != "prerouting") return "reject";
    if (what == 7) return chain_ < 0 ? "accept" : "return";
    if (what == 8) return "continue";
    if (chain.empty()) return chance(50) ? "accept" : "drop";
    return (what == 9 ? "goto " : "jump ") + chain;
  }

  std::string rule() {
    std::string out = "    ";
    if (chance(12)) return out + map() + "\n";
    asked_ = family_ == "inet" ? "" : family_ + " ";
    const int conditions = below(4);
    for (int i = 0; i < conditions; ++i) out += condition() + " ";
    if (chance(20)) return out + action() + "\n";
    if (chance(15)) out += "counter ";
    return out + verdict() + "\n";
  }

  std::string action() {
    const auto& text = one_of(kActions);
    return contradicts(text) ? "counter" : text;
  }

  std::string map() {
    auto text = one_of(kMaps);
    const auto chain = later_chain();
    for (auto at = text.find(" J"); at != std::string::npos; at = text.find(" J")) {
      const auto verb = text.rfind(' ', at - 1) + 1;
      text.replace(verb, at + 2 - verb, chain.empty() ? "drop" : text.substr(verb, at - verb) + " " + chain);
    }
    return text;
  }

  std::string rules(int most) {
    std::string out;
    for (int i = below(most + 1); i > 0; --i) out += rule();
    return out;
  }

  std::string base_chain(int number) {
    static const Words kHooks = {"input", "input", "input", "prerouting", "forward"};
    static const Words kPriorities = {"filter", "filter", "-150", "-10", "10", "raw", "mangle"};
    hook_ = one_of(kHooks);
    chain_ = -1;
    std::string out = concat({"  chain b", std::to_string(number), " {\n    type filter hook ", hook_, " priority ",
                              one_of(kPriorities), "; policy ", chance(40) ? "drop" : "accept", ";\n"});
    if (hook_ == "prerouting" && chance(5)) out += "    notrack\n";
    return out + rules(10) + "  }\n";
  }

  std::string translation() {
    chain_ = chains_;
    asked_ = family_ == "inet" ? "tcp" : family_ + " tcp";
    return concat({"  chain nat {\n    type nat hook prerouting priority dstnat; policy accept;\n    ", condition(),
                   " tcp dport 8000 redirect to :", chance(50) ? "8888" : "11434",
                   "\n    udp dport 8888 redirect to :8000\n  }\n"});
  }

  static std::string sets() {
    return "  set ports { type inet_service; elements = { 8000, 443 } }\n"
           "  set ranges { type inet_service; flags interval; elements = { 1-1023, 8000-8888 } }\n"
           "  set pairs { type inet_service . inet_proto; elements = { 8000 . tcp, 11434 . udp } }\n";
  }

  std::string table(const std::string& name) {
    static const Words kFamilies = {"inet", "inet", "ip", "ip6"};
    family_ = one_of(kFamilies);
    chains_ = below(4);
    std::string out = concat({"table ", family_, " ", name, " {\n", sets()});
    // Chains that are jumped to stand before those that jump.
    for (chain_ = chains_ - 1; chain_ >= 0;) {
      hook_ = "prerouting";  // where it is reached from is not known: no reject
      const int number = chain_;
      out += concat({"  chain c", std::to_string(number), " {\n", rules(5), "  }\n"});
      chain_ = number - 1;
    }
    const int bases = 1 + below(3);
    for (int i = 0; i < bases; ++i) out += base_chain(i);
    if (chance(15)) out += translation();
    return out + "}\n";
  }

  std::mt19937 random_;
  std::string family_, hook_;
  std::string asked_;  // by the conditions of the rule that is written
  int chains_ = 0;
  int chain_ = 0;  // the one that is written; -1 for a base chain
};

}  // namespace

std::string random_rules(std::uint32_t seed) { return Writer(seed).write(); }

}  // namespace gpuharden::test
