// SPDX-License-Identifier: GPL-2.0-or-later
// Messages of nf_tables: the decoder, the text of captures, and the way of packets through whatever they say.
#include <linux/in.h>
#include <linux/netfilter.h>

#include "checks/firewall/exposure.h"
#include "checks/firewall/rule_text.h"
#include "engine/native/link_programs.h"
#include "engine/native/nft.h"
#include "engine/native/nft_text.h"
#include "tests/fuzz/target.h"

namespace gpuharden::test {
namespace {

void follow(NftRuleset ruleset) {
  const FilterProgram program(std::move(ruleset));
  const PacketWay way{[](const std::string&) { return std::string("docker0"); },
                      [](const std::string&) { return std::optional<bool>(); }};
  const auto anyone = find_exposure(program, way, {NFPROTO_IPV4, IPPROTO_TCP, 11434, Sender::kAnyone, ""});
  const auto stranger = find_exposure(program, way, {NFPROTO_IPV4, IPPROTO_TCP, 11434, Sender::kStranger, ""});
  // A stranger is one of them.
  if (anyone.verdict == Verdict::kBlocked) require(stranger.verdict == Verdict::kBlocked);
  find_exposure(program, way, {NFPROTO_IPV6, IPPROTO_UDP, 53, Sender::kAnyone, "eth0"});
  const SetIndex sets(program.ruleset());
  for (const auto& rule : program.ruleset().rules) summarise(rule, sets);
}

}  // namespace
}  // namespace gpuharden::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuharden;
  const auto bytes = test::text_of(data, size);
  if (auto links = decode_link_programs(bytes)) {
    const auto again = decode_link_programs(encode_link_programs(*links));
    test::require(again.has_value() && again->size() >= links->size());
  }
  auto ruleset = decode_nft(bytes);
  if (!ruleset) {
    std::vector<NftTextFault> faults;
    ruleset = parse_nft_text(bytes, faults);
  }
  std::vector<NftTextFault> faults;
  const auto text = format_nft_text(*ruleset);
  const auto again = parse_nft_text(text, faults);
  test::require(format_nft_text(again) == text || !faults.empty());
  encode_nft(*ruleset);
  test::follow(std::move(*ruleset));
  return 0;
}
