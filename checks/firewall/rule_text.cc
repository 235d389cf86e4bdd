// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/firewall/rule_text.h"

#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>

#include <array>

#include "checks/firewall/field_text.h"
#include "checks/firewall/packet_value.h"
#include "checks/firewall/xt_extension.h"
#include "checks/network/inet_address.h"
#include "engine/base/text.h"
#include "engine/native/netlink_bytes.h"
#include "engine/native/nft_text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kShownElements = 8;

// What a register holds.
struct Content {
  Field field;
  std::string mask;   // of a bitwise and
  std::string bytes;  // of an immediate value
};

class Summary {
 public:
  Summary(const NftRule& rule, const SetIndex& sets) : rule_(rule), sets_(sets) {}

  RuleSummary run() {
    for (const auto& expression : rule_.expressions) take(expression);
    if (!rule_.comment.empty()) word(concat({"comment \"", rule_.comment, "\""}));
    return std::move(out_);
  }

 private:
  void word(std::string_view text) { out_.text += concat({out_.text.empty() ? "" : " ", text}); }

  Content& at(const NftExpression& expression, std::uint16_t type) {
    return contents_[Registers::offset(expression.number(type).value_or(0))];
  }
  static NftData data(const NftExpression& expression, std::uint16_t type) {
    const auto* bytes = expression.find(type);
    return bytes == nullptr ? NftData() : decode_nft_data(*bytes);
  }

  void take(const NftExpression& expression) {
    const std::string_view name = expression.name;
    if (name == "payload") return load_payload(expression);
    if (name == "meta") return take_meta(expression);
    if (name == "ct") return take_connection(expression);
    if (name == "fib") {
      at(expression, NFTA_FIB_DREG) = {
          route_field(expression.number(NFTA_FIB_RESULT).value_or(0), expression.number(NFTA_FIB_FLAGS).value_or(0)),
          "", ""};
      return;
    }
    if (name == "bitwise") {
      Content content = at(expression, NFTA_BITWISE_SREG);
      content.mask = data(expression, NFTA_BITWISE_MASK).bytes;
      at(expression, NFTA_BITWISE_DREG) = content;
      return;
    }
    if (name == "byteorder") {
      at(expression, NFTA_BYTEORDER_DREG) = Content(at(expression, NFTA_BYTEORDER_SREG));
      return;
    }
    if (name == "cmp") return compare(expression);
    if (name == "range") return range(expression);
    if (name == "lookup") return look_up(expression);
    if (name == "immediate") return immediate(expression);
    take_action(expression);
  }

  void take_action(const NftExpression& expression) {
    const std::string_view name = expression.name;
    if (name == "match") return word(xt_match_text(xt_extension_of(expression)));
    if (name == "target") return take_target(xt_extension_of(expression));
    if (name == "nat") return translate(expression);
    if (name == "redir") return redirect(expression);
    if (name == "counter") return;
    word(name == "masq" ? "masquerade" : name);
    if (name == "reject") out_.verdict = "drop";
    if (name == "masq") out_.verdict = "snat";
    if (name == "queue") out_.verdict = "queue";
  }

  void load_payload(const NftExpression& expression) {
    if (expression.find(NFTA_PAYLOAD_SREG) != nullptr) return word("payload set");
    at(expression, NFTA_PAYLOAD_DREG) = {payload_field(rule_.family, expression.number(NFTA_PAYLOAD_BASE).value_or(9),
                                                       expression.number(NFTA_PAYLOAD_OFFSET).value_or(0),
                                                       expression.number(NFTA_PAYLOAD_LEN).value_or(0), out_.protocol),
                                         "", ""};
  }

  void take_meta(const NftExpression& expression) {
    const auto field = meta_field(expression.number(NFTA_META_KEY).value_or(UINT64_MAX));
    if (expression.find(NFTA_META_SREG) != nullptr) return word(field.name + " set");
    at(expression, NFTA_META_DREG) = {field, "", ""};
  }

  void take_connection(const NftExpression& expression) {
    const auto field = connection_field(expression.number(NFTA_CT_KEY).value_or(UINT64_MAX));
    if (expression.find(NFTA_CT_SREG) != nullptr) return word(field.name + " set");
    at(expression, NFTA_CT_DREG) = {field, "", ""};
  }

  void note(const Content& content, std::string_view bytes, bool is_equal) {
    out_.has_source = out_.has_source || content.field.is_source;
    if (!is_equal) return;
    if (content.field.kind == FieldKind::kProtocol && out_.protocol.empty()) {
      const auto text = value_text(content.field, bytes);
      if (text == "tcp" || text == "udp") out_.protocol = text;
    }
    if (content.field.is_destination_port && content.mask.empty())
      out_.ports.push_back(static_cast<std::uint16_t>(network_number(bytes.substr(0, 2)).value_or(0)));
  }

  void compare(const NftExpression& expression) {
    static constexpr std::array<std::string_view, 6> kOperators = {"", "!= ", "< ", "<= ", "> ", ">= "};
    const Content content = at(expression, NFTA_CMP_SREG);
    const auto bytes = data(expression, NFTA_CMP_DATA).bytes;
    const auto operation = expression.number(NFTA_CMP_OP).value_or(0);
    note(content, bytes, operation == NFT_CMP_EQ);
    const auto op = operation < kOperators.size() ? kOperators.at(operation) : "? ";
    if (content.field.name == "meta l4proto" && operation == NFT_CMP_EQ && !out_.protocol.empty())
      return word(out_.protocol);
    if (content.field.kind == FieldKind::kState && !content.mask.empty() && operation == NFT_CMP_NEQ)
      return word(concat({content.field.name, " ", value_text(content.field, content.mask)}));
    const auto network = content.field.kind == FieldKind::kAddress ? network_text(bytes, content.mask) : "";
    if (!network.empty()) return word(concat({content.field.name, " ", op, network}));
    const std::string mask = content.mask.empty() ? "" : concat({" & ", value_text(content.field, content.mask)});
    word(concat({content.field.name, mask, " ",
                 content.mask.empty()      ? op
                 : operation == NFT_CMP_EQ ? "== "
                                           : op,
                 value_text(content.field, bytes)}));
  }

  void range(const NftExpression& expression) {
    const Content content = at(expression, NFTA_RANGE_SREG);
    out_.has_source = out_.has_source || content.field.is_source;
    const bool is_not = expression.number(NFTA_RANGE_OP) == std::uint64_t{NFT_RANGE_NEQ};
    word(concat({content.field.name, is_not ? " != " : " ",
                 value_text(content.field, data(expression, NFTA_RANGE_FROM_DATA).bytes), "-",
                 value_text(content.field, data(expression, NFTA_RANGE_TO_DATA).bytes)}));
  }

  std::string set_text(const Content& content, const NftSet& set) {
    std::vector<std::string> shown;
    for (const auto& element : set.elements) {
      if ((element.flags & NFT_SET_ELEM_INTERVAL_END) != 0) continue;
      if (shown.size() == kShownElements) {
        shown.emplace_back("…");
        break;
      }
      shown.push_back(value_text(content.field, element.key));
      if (element.data && element.data->verdict) shown.back() += " : " + nft_verdict_name(*element.data->verdict);
    }
    return concat({"{ ", join(shown, ", "), " }"});
  }

  void look_up(const NftExpression& expression) {
    const Content content = at(expression, NFTA_LOOKUP_SREG);
    const auto* name = expression.find(NFTA_LOOKUP_SET);
    const auto set_name = text_until_nul(name == nullptr ? std::string_view() : std::string_view(*name));
    const auto* set = sets_.find(rule_, set_name);
    const bool is_not = expression.number(NFTA_LOOKUP_FLAGS).value_or(0) != 0;
    const bool is_map = expression.find(NFTA_LOOKUP_DREG) != nullptr;
    const bool is_plain = set != nullptr && (set->flags & NFT_SET_INTERVAL) == 0 && set->key_length == 2;
    out_.has_source = out_.has_source || content.field.is_source;
    if (is_plain && !is_not && !is_map) {
      for (const auto& element : set->elements) note(content, element.key, content.field.is_destination_port);
    }
    if (is_map) out_.verdict = "map";
    const bool is_anonymous = set != nullptr && (set->flags & NFT_SET_ANONYMOUS) != 0 && set->fields.size() < 2;
    word(concat({content.field.name, is_map ? " vmap" : "", is_not ? " != " : " ",
                 is_anonymous ? set_text(content, *set) : concat({"@", set_name})}));
  }

  void immediate(const NftExpression& expression) {
    const auto value = data(expression, NFTA_IMMEDIATE_DATA);
    if (!value.verdict) {
      at(expression, NFTA_IMMEDIATE_DREG) = {{}, "", value.bytes};
      return;
    }
    const auto name = nft_verdict_name(*value.verdict);
    out_.target = value.verdict->chain;
    out_.verdict = name.substr(0, name.find(':'));
    word(out_.target.empty() ? name : concat({out_.verdict, " ", out_.target}));
  }

  void translate(const NftExpression& expression) {
    const bool is_destination = expression.number(NFTA_NAT_TYPE) == std::uint64_t{NFT_NAT_DNAT};
    out_.verdict = is_destination ? "dnat" : "snat";
    std::string to;
    if (expression.find(NFTA_NAT_REG_ADDR_MIN) != nullptr)
      to = address_text(at(expression, NFTA_NAT_REG_ADDR_MIN).bytes);
    std::optional<std::uint16_t> port;
    if (expression.find(NFTA_NAT_REG_PROTO_MIN) != nullptr)
      port = port_in(at(expression, NFTA_NAT_REG_PROTO_MIN).bytes);
    set_target(to, port, is_destination);
  }

  static std::optional<std::uint16_t> port_in(std::string_view bytes) {
    const auto number = network_number(bytes.substr(0, 2));
    return number ? std::optional(static_cast<std::uint16_t>(*number)) : std::nullopt;
  }

  void set_target(const std::string& address, std::optional<std::uint16_t> port, bool is_destination) {
    word(concat({out_.verdict, " to ", address, port ? ":" : "", port ? std::to_string(*port) : ""}));
    if (!is_destination) return;
    out_.to_address = address;
    out_.to_port = port;
  }

  void redirect(const NftExpression& expression) {
    out_.verdict = "redirect";
    std::optional<std::uint16_t> port;
    if (expression.find(NFTA_REDIR_REG_PROTO_MIN) != nullptr)
      port = port_in(at(expression, NFTA_REDIR_REG_PROTO_MIN).bytes);
    set_target("", port, true);
  }

  void take_target(const XtExtension& extension) {
    const auto target = xt_target_of(extension, rule_.family);
    word(xt_target_text(extension, rule_.family));
    if (target.kind == XtTargetKind::kDrop) out_.verdict = "drop";
    if (target.kind == XtTargetKind::kAccept) out_.verdict = "snat";
    if (target.kind != XtTargetKind::kTranslate) return;
    out_.verdict = target.to_this_host ? "redirect" : "dnat";
    if (target.address) out_.to_address = address_text(*target.address);
    out_.to_port = target.port;
  }

  const NftRule& rule_;
  const SetIndex& sets_;
  RuleSummary out_;
  std::map<std::size_t, Content> contents_;
};

}  // namespace

SetIndex::SetIndex(const NftRuleset& ruleset) {
  for (const auto& set : ruleset.sets) sets_[{set.family, set.table, set.name}] = &set;
}

const NftSet* SetIndex::find(const NftRule& rule, std::string_view name) const {
  const auto found = sets_.find({rule.family, rule.table, std::string(name)});
  return found == sets_.end() ? nullptr : found->second;
}

RuleSummary summarise(const NftRule& rule, const SetIndex& sets) { return Summary(rule, sets).run(); }

std::string rule_name(const NftRule& rule) {
  return concat({nft_family_name(rule.family), " ", rule.table, " ", rule.chain, " ", std::to_string(rule.handle)});
}

std::string chain_name(const NftChain& chain) {
  return concat({nft_family_name(chain.family), " ", chain.table, " ", chain.name});
}

}  // namespace gpuharden
