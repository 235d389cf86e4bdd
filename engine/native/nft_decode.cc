// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>

#include <algorithm>
#include <map>

#include "engine/base/text.h"
#include "engine/native/netlink_bytes.h"
#include "engine/native/nft.h"

namespace gpuharden {
namespace {

// Userdata of nft: type, length, bytes; the comment is type 0.
std::string comment_of(std::string_view data) {
  while (data.size() >= 2) {
    const auto size = static_cast<unsigned char>(data[1]);
    if (size + 2U > data.size()) break;
    if (data[0] == 0) return std::string(text_until_nul(data.substr(2, size)));
    data.remove_prefix(size + 2U);
  }
  return {};
}

std::string text_of(std::string_view attributes, std::uint16_t type) {
  return std::string(text_until_nul(find_attribute(attributes, type).value_or("")));
}

std::uint64_t number_of(std::string_view attributes, std::uint16_t type) {
  const auto bytes = find_attribute(attributes, type);
  return bytes ? network_number(*bytes).value_or(0) : 0;
}

NftExpression decode_expression(std::string_view bytes) {
  NftExpression expression;
  expression.name = text_of(bytes, NFTA_EXPR_NAME);
  auto data = find_attribute(bytes, NFTA_EXPR_DATA).value_or("");
  while (const auto attribute = next_attribute(data)) {
    expression.attributes.push_back({attribute->type, std::string(attribute->bytes)});
  }
  return expression;
}

NftHook decode_hook(std::string_view bytes) {
  NftHook hook;
  hook.number = static_cast<std::uint32_t>(number_of(bytes, NFTA_HOOK_HOOKNUM));
  hook.priority = static_cast<std::int32_t>(static_cast<std::uint32_t>(number_of(bytes, NFTA_HOOK_PRIORITY)));
  if (const auto device = find_attribute(bytes, NFTA_HOOK_DEV)) hook.devices.emplace_back(text_until_nul(*device));
  if (!hook.devices.empty()) return hook;
  auto devices = find_attribute(bytes, NFTA_HOOK_DEVS).value_or("");
  while (const auto device = next_attribute(devices)) hook.devices.emplace_back(text_until_nul(device->bytes));
  return hook;
}

// Counters and comments change nothing; every other state of an element may keep it from matching.
bool decides(const NftExpression& expression) { return expression.name != "counter" && expression.name != "last"; }

NftElement decode_element(std::string_view bytes) {
  NftElement element;
  if (const auto key = find_attribute(bytes, NFTA_SET_ELEM_KEY)) element.key = decode_nft_data(*key).bytes;
  if (const auto end = find_attribute(bytes, NFTA_SET_ELEM_KEY_END)) element.key_end = decode_nft_data(*end).bytes;
  if (const auto data = find_attribute(bytes, NFTA_SET_ELEM_DATA)) element.data = decode_nft_data(*data);
  element.flags = static_cast<std::uint32_t>(number_of(bytes, NFTA_SET_ELEM_FLAGS));
  if (const auto one = find_attribute(bytes, NFTA_SET_ELEM_EXPR)) {
    element.is_conditional = decides(decode_expression(*one));
  }
  const auto expressions = decode_nft_expressions(find_attribute(bytes, NFTA_SET_ELEM_EXPRESSIONS).value_or(""));
  element.is_conditional = element.is_conditional || std::any_of(expressions.begin(), expressions.end(), decides) ||
                           find_attribute(bytes, NFTA_SET_ELEM_OBJREF).has_value();
  return element;
}

class Decoder {
 public:
  NftRuleset ruleset;

  // Whether the message is one of ours and makes sense.
  bool take(const NetlinkMessage& message) {
    if (message.type == NLMSG_OVERRUN) return take_cut(message.payload);
    if (message.type >> 8U != NFNL_SUBSYS_NFTABLES || message.payload.size() < sizeof(nfgenmsg)) return false;
    const int family = static_cast<unsigned char>(message.payload[0]);
    const auto attributes = message.payload.substr(sizeof(nfgenmsg));
    switch (message.type & 0xffU) {
      case NFT_MSG_NEWTABLE: return take_table(family, attributes);
      case NFT_MSG_NEWCHAIN: return take_chain(family, attributes);
      case NFT_MSG_NEWRULE: return take_rule(family, attributes);
      case NFT_MSG_NEWSET: return take_set(family, attributes);
      case NFT_MSG_NEWSETELEM: return take_elements(family, attributes);
      default: return false;
    }
  }

 private:
  bool take_table(int family, std::string_view bytes) {
    ruleset.tables.push_back(
        {family, text_of(bytes, NFTA_TABLE_NAME), static_cast<std::uint32_t>(number_of(bytes, NFTA_TABLE_FLAGS))});
    return !ruleset.tables.back().name.empty();
  }

  bool take_chain(int family, std::string_view bytes) {
    NftChain chain{family, text_of(bytes, NFTA_CHAIN_TABLE), text_of(bytes, NFTA_CHAIN_NAME), {}, {}, {}};
    if (const auto hook = find_attribute(bytes, NFTA_CHAIN_HOOK)) chain.hook = decode_hook(*hook);
    chain.type = text_of(bytes, NFTA_CHAIN_TYPE);
    if (find_attribute(bytes, NFTA_CHAIN_POLICY))
      chain.policy = static_cast<std::uint32_t>(number_of(bytes, NFTA_CHAIN_POLICY));
    ruleset.chains.push_back(std::move(chain));
    return !ruleset.chains.back().name.empty();
  }

  bool take_rule(int family, std::string_view bytes) {
    NftRule rule{family, text_of(bytes, NFTA_RULE_TABLE), text_of(bytes, NFTA_RULE_CHAIN), 0, {}, {}};
    rule.handle = number_of(bytes, NFTA_RULE_HANDLE);
    rule.expressions = decode_nft_expressions(find_attribute(bytes, NFTA_RULE_EXPRESSIONS).value_or(""));
    rule.comment = comment_of(find_attribute(bytes, NFTA_RULE_USERDATA).value_or(""));
    ruleset.rules.push_back(std::move(rule));
    return !ruleset.rules.back().chain.empty();
  }

  bool take_set(int family, std::string_view bytes) {
    NftSet set{family, text_of(bytes, NFTA_SET_TABLE), text_of(bytes, NFTA_SET_NAME), 0, 0, 0, {}, {}, false};
    set.flags = static_cast<std::uint32_t>(number_of(bytes, NFTA_SET_FLAGS));
    set.key_length = static_cast<std::uint32_t>(number_of(bytes, NFTA_SET_KEY_LEN));
    set.data_type = static_cast<std::uint32_t>(number_of(bytes, NFTA_SET_DATA_TYPE));
    const auto description = find_attribute(bytes, NFTA_SET_DESC).value_or("");
    auto fields = find_attribute(description, NFTA_SET_DESC_CONCAT).value_or("");
    while (const auto field = next_attribute(fields)) {
      set.fields.push_back(static_cast<std::uint32_t>(number_of(field->bytes, NFTA_SET_FIELD_LEN)));
    }
    positions_[name_of(set.family, set.table, set.name)] = ruleset.sets.size();
    ruleset.sets.push_back(std::move(set));
    return !ruleset.sets.back().name.empty();
  }

  bool take_elements(int family, std::string_view bytes) {
    auto* set = find_set(family, bytes);
    if (set == nullptr) return false;
    auto elements = find_attribute(bytes, NFTA_SET_ELEM_LIST_ELEMENTS).value_or("");
    while (const auto element = next_attribute(elements)) set->elements.push_back(decode_element(element->bytes));
    return true;
  }

  bool take_cut(std::string_view payload) {
    if (payload.size() < sizeof(nfgenmsg)) return false;
    auto* set = find_set(static_cast<unsigned char>(payload[0]), payload.substr(sizeof(nfgenmsg)));
    if (set != nullptr) set->is_cut = true;
    return set != nullptr;
  }

  NftSet* find_set(int family, std::string_view bytes) {
    const auto found = positions_.find(
        name_of(family, text_of(bytes, NFTA_SET_ELEM_LIST_TABLE), text_of(bytes, NFTA_SET_ELEM_LIST_SET)));
    return found == positions_.end() ? nullptr : &ruleset.sets[found->second];
  }

  static std::string name_of(int family, std::string_view table, std::string_view set) {
    return concat({std::to_string(family), "/", table, std::string_view("\0", 1), set});
  }

  std::map<std::string, std::size_t> positions_;
};

}  // namespace

const std::string* NftExpression::find(std::uint16_t type) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.type == type; });
  return found == attributes.end() ? nullptr : &found->bytes;
}

std::optional<std::uint64_t> NftExpression::number(std::uint16_t type) const {
  const auto* bytes = find(type);
  return bytes == nullptr ? std::nullopt : network_number(*bytes);
}

NftData decode_nft_data(std::string_view attributes) {
  NftData data;
  if (const auto value = find_attribute(attributes, NFTA_DATA_VALUE)) data.bytes = *value;
  if (const auto verdict = find_attribute(attributes, NFTA_DATA_VERDICT)) {
    data.verdict.emplace();
    data.verdict->code = static_cast<std::int32_t>(static_cast<std::uint32_t>(number_of(*verdict, NFTA_VERDICT_CODE)));
    data.verdict->chain = text_of(*verdict, NFTA_VERDICT_CHAIN);
  }
  return data;
}

std::vector<NftExpression> decode_nft_expressions(std::string_view list) {
  std::vector<NftExpression> expressions;
  while (const auto element = next_attribute(list)) expressions.push_back(decode_expression(element->bytes));
  return expressions;
}

Result<NftRuleset> decode_nft(std::string_view messages) {
  Decoder decoder;
  const std::size_t size = messages.size();
  while (!messages.empty()) {
    const auto offset = size - messages.size();
    const auto message = next_message(messages);
    if (!message || !decoder.take(*message)) {
      return Error{ErrorCode::kMalformed,
                   concat({"nf_tables: the message at byte ", std::to_string(offset), " makes no sense"})};
    }
  }
  return std::move(decoder.ruleset);
}

}  // namespace gpuharden
