// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>

#include "engine/native/netlink_bytes.h"
#include "engine/native/nft.h"

namespace gpuharden {
namespace {

constexpr std::size_t kElementsEachMessage = 200;

std::string start(int family) {
  std::string payload(sizeof(nfgenmsg), '\0');
  payload[0] = static_cast<char>(family);
  return payload;
}

void put(std::string& out, unsigned message, std::string_view payload) {
  put_message(out, static_cast<std::uint16_t>(NFNL_SUBSYS_NFTABLES << 8U | message), NLM_F_MULTI, payload);
}

void put_table(std::string& out, const NftTable& table) {
  std::string payload = start(table.family);
  put_text_attribute(payload, NFTA_TABLE_NAME, table.name);
  put_number_attribute(payload, NFTA_TABLE_FLAGS, table.flags, 4);
  put(out, NFT_MSG_NEWTABLE, payload);
}

std::string encode_hook(const NftHook& hook) {
  std::string bytes;
  put_number_attribute(bytes, NFTA_HOOK_HOOKNUM, hook.number, 4);
  put_number_attribute(bytes, NFTA_HOOK_PRIORITY, static_cast<std::uint32_t>(hook.priority), 4);
  std::string devices;
  for (const auto& device : hook.devices) put_text_attribute(devices, NFTA_DEVICE_NAME, device);
  if (!devices.empty()) put_attribute(bytes, NFTA_HOOK_DEVS, devices);
  return bytes;
}

void put_chain(std::string& out, const NftChain& chain) {
  std::string payload = start(chain.family);
  put_text_attribute(payload, NFTA_CHAIN_TABLE, chain.table);
  put_text_attribute(payload, NFTA_CHAIN_NAME, chain.name);
  if (chain.hook) put_attribute(payload, NFTA_CHAIN_HOOK, encode_hook(*chain.hook));
  if (!chain.type.empty()) put_text_attribute(payload, NFTA_CHAIN_TYPE, chain.type);
  if (chain.policy) put_number_attribute(payload, NFTA_CHAIN_POLICY, *chain.policy, 4);
  put(out, NFT_MSG_NEWCHAIN, payload);
}

std::string encode_expression(const NftExpression& expression) {
  std::string data;
  for (const auto& attribute : expression.attributes) put_attribute(data, attribute.type, attribute.bytes);
  std::string bytes;
  put_text_attribute(bytes, NFTA_EXPR_NAME, expression.name);
  if (!data.empty()) put_attribute(bytes, NFTA_EXPR_DATA, data);
  return bytes;
}

void put_rule(std::string& out, const NftRule& rule) {
  std::string payload = start(rule.family);
  put_text_attribute(payload, NFTA_RULE_TABLE, rule.table);
  put_text_attribute(payload, NFTA_RULE_CHAIN, rule.chain);
  put_number_attribute(payload, NFTA_RULE_HANDLE, rule.handle, 8);
  std::string list;
  for (const auto& expression : rule.expressions) put_attribute(list, NFTA_LIST_ELEM, encode_expression(expression));
  put_attribute(payload, NFTA_RULE_EXPRESSIONS, list);
  if (!rule.comment.empty()) {
    std::string data = rule.comment.substr(0, 254) + std::string(1, '\0');
    put_attribute(payload, NFTA_RULE_USERDATA,
                  std::string(1, '\0') + static_cast<char>(static_cast<unsigned char>(data.size())) + data);
  }
  put(out, NFT_MSG_NEWRULE, payload);
}

void put_set(std::string& out, const NftSet& set) {
  std::string payload = start(set.family);
  put_text_attribute(payload, NFTA_SET_TABLE, set.table);
  put_text_attribute(payload, NFTA_SET_NAME, set.name);
  put_number_attribute(payload, NFTA_SET_FLAGS, set.flags, 4);
  put_number_attribute(payload, NFTA_SET_KEY_LEN, set.key_length, 4);
  if (set.data_type != 0) put_number_attribute(payload, NFTA_SET_DATA_TYPE, set.data_type, 4);
  std::string fields;
  for (const auto length : set.fields) {
    std::string field;
    put_number_attribute(field, NFTA_SET_FIELD_LEN, length, 4);
    put_attribute(fields, NFTA_LIST_ELEM, field);
  }
  std::string description;
  if (!fields.empty()) put_attribute(description, NFTA_SET_DESC_CONCAT, fields);
  if (!description.empty()) put_attribute(payload, NFTA_SET_DESC, description);
  put(out, NFT_MSG_NEWSET, payload);
}

std::string encode_element(const NftElement& element) {
  std::string bytes;
  if (!element.key.empty()) put_attribute(bytes, NFTA_SET_ELEM_KEY, encode_nft_data({element.key, {}}));
  if (!element.key_end.empty()) put_attribute(bytes, NFTA_SET_ELEM_KEY_END, encode_nft_data({element.key_end, {}}));
  if (element.data) put_attribute(bytes, NFTA_SET_ELEM_DATA, encode_nft_data(*element.data));
  if (element.flags != 0) put_number_attribute(bytes, NFTA_SET_ELEM_FLAGS, element.flags, 4);
  if (element.is_conditional) put_attribute(bytes, NFTA_SET_ELEM_EXPR, encode_expression({"limit", {}}));
  return bytes;
}

std::string start_elements(const NftSet& set) {
  std::string payload = start(set.family);
  put_text_attribute(payload, NFTA_SET_ELEM_LIST_TABLE, set.table);
  put_text_attribute(payload, NFTA_SET_ELEM_LIST_SET, set.name);
  return payload;
}

void put_elements(std::string& out, const NftSet& set) {
  for (std::size_t first = 0; first < set.elements.size(); first += kElementsEachMessage) {
    std::string list;
    for (std::size_t i = first; i < std::min(first + kElementsEachMessage, set.elements.size()); ++i) {
      put_attribute(list, NFTA_LIST_ELEM, encode_element(set.elements[i]));
    }
    std::string payload = start_elements(set);
    put_attribute(payload, NFTA_SET_ELEM_LIST_ELEMENTS, list);
    put(out, NFT_MSG_NEWSETELEM, payload);
  }
  if (set.is_cut) put_message(out, NLMSG_OVERRUN, 0, start_elements(set));
}

}  // namespace

std::string encode_nft_data(const NftData& data) {
  std::string bytes;
  if (data.verdict) {
    std::string verdict;
    put_number_attribute(verdict, NFTA_VERDICT_CODE, static_cast<std::uint32_t>(data.verdict->code), 4);
    if (!data.verdict->chain.empty()) put_text_attribute(verdict, NFTA_VERDICT_CHAIN, data.verdict->chain);
    put_attribute(bytes, NFTA_DATA_VERDICT, verdict);
  } else {
    put_attribute(bytes, NFTA_DATA_VALUE, data.bytes);
  }
  return bytes;
}

std::string encode_nft(const NftRuleset& ruleset) {
  std::string out;
  for (const auto& table : ruleset.tables) put_table(out, table);
  for (const auto& chain : ruleset.chains) put_chain(out, chain);
  for (const auto& rule : ruleset.rules) put_rule(out, rule);
  for (const auto& set : ruleset.sets) put_set(out, set);
  for (const auto& set : ruleset.sets) put_elements(out, set);
  return out;
}

}  // namespace gpuharden
