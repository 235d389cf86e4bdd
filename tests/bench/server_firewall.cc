// SPDX-License-Identifier: GPL-2.0-or-later
// A packet filter of the shape that provisioning writes: established first, then one rule for each peer and port.
#include <array>
#include <cstdio>

#include "tests/bench/gpu_server.h"

namespace gpuharden::test {
namespace {

// "meta l4proto tcp ip saddr 10.a.b.0/24 tcp dport N accept" in the kernel's own expressions.
std::string rule_for_peer(std::size_t number) {
  std::array<char, 400> text{};
  const auto low = static_cast<unsigned>(number % 256);
  const auto high = static_cast<unsigned>(number / 256 % 256);
  const auto port = static_cast<unsigned>(20000 + number % 20000);
  std::snprintf(
      text.data(), text.size(),
      "rule inet filter input %zu ; meta key=15 dreg=1 ; cmp sreg=1 op=0 data=0x02 ; payload dreg=1 base=1 "
      "offset=12 len=3 ; cmp sreg=1 op=0 data=0x0a%02x%02x ; meta key=16 dreg=1 ; cmp sreg=1 op=0 data=0x06 ; "
      "payload dreg=1 base=2 offset=2 len=2 ; cmp sreg=1 op=0 data=0x%04x ; counter bytes=0 packets=0 ; "
      "immediate dreg=0 data=accept",
      number + 10, high, low, port);
  return text.data();
}

}  // namespace

void write_firewall(TreeWriter& tree, const ServerSize& size) {
  tree.filter("table inet filter");
  tree.filter("chain inet filter input type=filter hook=1 priority=0 policy=drop");
  tree.filter(
      "rule inet filter input 2 ; ct dreg=1 key=0 ; bitwise sreg=1 dreg=1 len=4 op=0 mask=0x06000000 xor=0x00000000 ; "
      "cmp sreg=1 op=1 data=0x00000000 ; immediate dreg=0 data=accept");
  tree.filter(
      "rule inet filter input 3 ; meta key=4 dreg=1 ; cmp sreg=1 op=0 data=0x01000000 ; immediate dreg=0 data=accept");
  for (std::size_t i = 0; i < size.nft_rules; ++i) tree.filter(rule_for_peer(i));
}

}  // namespace gpuharden::test
