// SPDX-License-Identifier: GPL-2.0-or-later
// The packet filter of the kernel (nf_tables) as it lies there: raw messages, and what they say. By nfnetlink.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

struct NftTable {
  int family = 0;  // NFPROTO_INET, _IPV4, _ARP, _NETDEV, _BRIDGE, _IPV6
  std::string name;
  std::uint32_t flags = 0;  // NFT_TABLE_F_DORMANT: its chains see no packet
  bool operator==(const NftTable&) const = default;
};

struct NftHook {
  std::uint32_t number = 0;  // NF_INET_PRE_ROUTING …; NF_NETDEV_INGRESS in netdev
  std::int32_t priority = 0;
  std::vector<std::string> devices;  // of ingress and egress
  bool operator==(const NftHook&) const = default;
};

struct NftChain {
  int family = 0;
  std::string table, name;
  std::optional<NftHook> hook;          // base chains have one
  std::string type;                     // filter, nat or route
  std::optional<std::uint32_t> policy;  // NF_DROP or NF_ACCEPT
  bool operator==(const NftChain&) const = default;
};

// One instruction of a rule: name and attributes as the kernel has them (NFTA_<NAME>_…), nested ones raw.
struct NftAttribute {
  std::uint16_t type = 0;
  std::string bytes;
  bool operator==(const NftAttribute&) const = default;
};
struct NftExpression {
  std::string name;
  std::vector<NftAttribute> attributes;

  const std::string* find(std::uint16_t type) const;  // nullptr when it is not there
  std::optional<std::uint64_t> number(std::uint16_t type) const;
  bool operator==(const NftExpression&) const = default;
};

struct NftRule {
  int family = 0;
  std::string table, chain;
  std::uint64_t handle = 0;
  std::vector<NftExpression> expressions;
  std::string comment;
  bool operator==(const NftRule&) const = default;
};

// What an element or an immediate expression holds: a verdict or bytes.
struct NftVerdict {
  std::int32_t code = 0;  // NF_DROP, NF_ACCEPT, NFT_JUMP, NFT_GOTO, NFT_RETURN …
  std::string chain;
  bool operator==(const NftVerdict&) const = default;
};
struct NftData {
  std::string bytes;
  std::optional<NftVerdict> verdict;
  bool operator==(const NftData&) const = default;
};

struct NftElement {
  std::string key, key_end;     // key_end: of an interval of a concatenation, included
  std::optional<NftData> data;  // of a map
  std::uint32_t flags = 0;      // NFT_SET_ELEM_INTERVAL_END, _CATCHALL
  bool is_conditional = false;  // has a limit, quota or other state that decides
  bool operator==(const NftElement&) const = default;
};

struct NftSet {
  int family = 0;
  std::string table, name;
  std::uint32_t flags = 0;  // NFT_SET_…
  std::uint32_t key_length = 0;
  std::uint32_t data_type = 0;        // NFT_DATA_VERDICT for a verdict map
  std::vector<std::uint32_t> fields;  // lengths of a concatenation's fields, bytes; empty for others
  std::vector<NftElement> elements;
  bool is_cut = false;  // too large: not all elements were read
  bool operator==(const NftSet&) const = default;
};

struct NftRuleset {
  std::vector<NftTable> tables;
  std::vector<NftChain> chains;
  std::vector<NftRule> rules;  // those of one chain in their order
  std::vector<NftSet> sets;
  bool operator==(const NftRuleset&) const = default;
};

// The kernel's answers, one message after the other: tables, chains, rules, sets, elements of the sets that a rule
// looks into, all of one generation. A set over the cap ends with an NLMSG_OVERRUN that names it. Asks only; the
// caller has made sure that nf_tables is there. kPermission without CAP_NET_ADMIN.
Result<std::string> dump_nft();

// kMalformed, with the offset, when a message is cut or makes no sense.
Result<NftRuleset> decode_nft(std::string_view messages);
// The messages that the kernel would send: captures are decoded like the real thing.
std::string encode_nft(const NftRuleset& ruleset);

// What an NFTA_DATA attribute holds.
NftData decode_nft_data(std::string_view attributes);
std::string encode_nft_data(const NftData& data);
// A list of expressions, or one of a set (NFTA_LIST_ELEM each).
std::vector<NftExpression> decode_nft_expressions(std::string_view list);

}  // namespace gpuharden
