// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/nft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>

#include "engine/native/link_programs.h"
#include "engine/native/nft_text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kText =
    "table inet filter\n"
    "chain inet filter input type=filter hook=1 priority=-10 policy=drop\n"
    "chain inet filter web\n"
    "chain netdev%20x filter in type=filter hook=0 priority=0 devices=eth0,eth1 policy=accept\n"
    "set inet filter ports flags=12 key=2 data=4294967040\n"
    "element inet filter ports key=2caa data=jump:web\n"
    "element inet filter ports key=2cab flags=1\n"
    "set inet filter pairs flags=128 key=8 fields=4,2\n"
    "element inet filter pairs key=0a00000000160000 end=0affffff00170000 conditional=1\n"
    "cut inet filter pairs\n"
    "rule inet filter input 4 comment=the%20web ; meta key=16 dreg=1 ; cmp sreg=1 op=0 data=0x06 ; #x ; log #9=00ff\n";

NftRuleset parse(std::string_view text) {
  std::vector<NftTextFault> faults;
  auto ruleset = parse_nft_text(text, faults);
  for (const auto& fault : faults) ADD_FAILURE() << fault.line << ": " << fault.sentence;
  return ruleset;
}

std::string good_text() {
  std::string text(kText);
  text.replace(text.find("netdev%20x"), 10, "netdev");
  text.replace(text.find(" ; #x"), 5, "");
  return text;
}

TEST(NftText, IsReadBackAsItWasWritten) { EXPECT_EQ(format_nft_text(parse(good_text())), good_text()); }

TEST(NftText, NamesTheLineOfEachFault) {
  std::vector<NftTextFault> faults;
  parse_nft_text(kText, faults);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].line, 4U);
  parse_nft_text("element inet filter none key=00\nrule inet f c 1 ; cmp sreg=x\nwhat inet f c\n", faults);
  EXPECT_EQ(faults.size(), 4U);
}

TEST(DecodeNft, ReadsBackWhatWasEncoded) {
  const auto ruleset = parse(good_text());
  const auto decoded = decode_nft(encode_nft(ruleset));
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
  EXPECT_EQ(format_nft_text(*decoded), good_text());
  EXPECT_EQ(decoded->chains.at(0).hook->priority, -10);
  EXPECT_EQ(decoded->rules.at(0).comment, "the web");
  EXPECT_EQ(decoded->rules.at(0).expressions.at(0).number(NFTA_META_KEY), NFT_META_L4PROTO);
}

TEST(DecodeNft, RefusesWhatIsCut) {
  const auto messages = encode_nft(parse(good_text()));
  for (const std::size_t size : {1U, 15U, 17U, 45U}) {
    const auto decoded = decode_nft(std::string_view(messages).substr(0, size));
    ASSERT_FALSE(decoded.has_value()) << size;
    EXPECT_EQ(decoded.error().code, ErrorCode::kMalformed);
  }
}

TEST(DecodeNft, RefusesALengthBeyondEverything) {
  auto messages = encode_nft(parse(good_text()));
  messages[3] = '\xff';  // the length's highest byte
  EXPECT_FALSE(decode_nft(messages).has_value());
}

TEST(DecodeNft, RefusesElementsOfASetThatIsNotThere) {
  auto ruleset = parse(good_text());
  const auto with_set = encode_nft(ruleset);
  ruleset.sets.clear();
  const auto without = encode_nft(ruleset).size();
  EXPECT_FALSE(decode_nft(std::string_view(with_set).substr(without + 120)).has_value());
}

TEST(DecodeLinkPrograms, ReadsBackWhatWasEncoded) {
  const std::vector<LinkPrograms> links = {{1, "lo", false, false}, {2, "eth0", true, false}, {3, "wg0", false, true}};
  const auto decoded = decode_link_programs(encode_link_programs(links));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, links);
  EXPECT_FALSE(decode_link_programs(encode_link_programs(links).substr(0, 30)).has_value());
}

}  // namespace
}  // namespace gpuharden
