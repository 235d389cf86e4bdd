// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/firewall/filter_program.h"

#include <linux/netfilter.h>
#include <linux/netfilter/nf_nat.h>
#include <linux/netfilter/nf_tables.h>

#include <algorithm>
#include <array>
#include <set>

#include "engine/native/netlink_bytes.h"

namespace gpuharden {
namespace {

constexpr std::array<std::string_view, 7> kHarmless = {"counter",      "log",   "last", "dup",
                                                       "flow_offload", "meter", "trace"};
constexpr std::array<std::string_view, 9> kLoads = {"exthdr", "hash",   "numgen", "rt",   "socket",
                                                    "osf",    "tunnel", "xfrm",   "inner"};
constexpr std::array<std::string_view, 3> kConditions = {"limit", "quota", "connlimit"};
constexpr std::uint64_t kBitwiseBoolean = 0;
constexpr std::uint64_t kOldRangeNat = 1;  // NF_NAT_MANIP_DST in messages: NFT_NAT_DNAT

template <std::size_t kCount>
bool is_one_of(std::string_view name, const std::array<std::string_view, kCount>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::size_t register_of(const NftExpression& expression, std::uint16_t type) {
  const auto number = expression.number(type);
  return number ? Registers::offset(*number) : Registers::kSize;
}

NftData data_of(const NftExpression& expression, std::uint16_t type) {
  const auto* bytes = expression.find(type);
  return bytes == nullptr ? NftData() : decode_nft_data(*bytes);
}

std::size_t length_of(const NftExpression& expression, std::uint16_t type) {
  return std::min<std::size_t>(expression.number(type).value_or(0), Registers::kSize);
}

FilterStep immediate(const NftExpression& expression) {
  FilterStep step;
  const auto data = data_of(expression, NFTA_IMMEDIATE_DATA);
  step.kind = data.verdict ? StepKind::kVerdict : StepKind::kImmediate;
  step.verdict = data.verdict;
  step.to = register_of(expression, NFTA_IMMEDIATE_DREG);
  step.low = data.bytes;
  return step;
}

FilterStep compare(const NftExpression& expression) {
  FilterStep step;
  step.kind = StepKind::kCompare;
  step.from = register_of(expression, NFTA_CMP_SREG);
  step.a = expression.number(NFTA_CMP_OP).value_or(UINT64_MAX);
  step.low = data_of(expression, NFTA_CMP_DATA).bytes;
  return step;
}

FilterStep range(const NftExpression& expression) {
  FilterStep step;
  step.kind = StepKind::kRange;
  step.from = register_of(expression, NFTA_RANGE_SREG);
  step.is_inverted = expression.number(NFTA_RANGE_OP) == std::uint64_t{NFT_RANGE_NEQ};
  step.low = data_of(expression, NFTA_RANGE_FROM_DATA).bytes;
  step.high = data_of(expression, NFTA_RANGE_TO_DATA).bytes;
  return step;
}

FilterStep bitwise(const NftExpression& expression) {
  FilterStep step;
  step.from = register_of(expression, NFTA_BITWISE_SREG);
  step.to = register_of(expression, NFTA_BITWISE_DREG);
  step.size = length_of(expression, NFTA_BITWISE_LEN);
  step.low = data_of(expression, NFTA_BITWISE_MASK).bytes;
  step.high = data_of(expression, NFTA_BITWISE_XOR).bytes;
  const bool is_boolean = expression.number(NFTA_BITWISE_OP).value_or(kBitwiseBoolean) == kBitwiseBoolean &&
                          step.low.size() == step.size && step.high.size() == step.size;
  step.kind = is_boolean ? StepKind::kBitwise : StepKind::kUnknownValue;
  return step;
}

FilterStep byteorder(const NftExpression& expression) {
  FilterStep step;
  step.kind = StepKind::kByteorder;
  step.from = register_of(expression, NFTA_BYTEORDER_SREG);
  step.to = register_of(expression, NFTA_BYTEORDER_DREG);
  step.size = length_of(expression, NFTA_BYTEORDER_LEN);
  step.a = expression.number(NFTA_BYTEORDER_SIZE).value_or(0);
  return step;
}

FilterStep payload(const NftExpression& expression) {
  FilterStep step;
  step.a = expression.number(NFTA_PAYLOAD_BASE).value_or(0);
  step.b = expression.number(NFTA_PAYLOAD_OFFSET).value_or(0);
  step.size = length_of(expression, NFTA_PAYLOAD_LEN);
  const bool is_write = expression.find(NFTA_PAYLOAD_SREG) != nullptr;
  // The first two bytes of a network header are version and class of service: they decide nothing here.
  const bool is_harmless = step.a == NFT_PAYLOAD_NETWORK_HEADER && step.b + step.size <= 2;
  step.kind = !is_write ? StepKind::kPayload : is_harmless ? StepKind::kNothing : StepKind::kWrite;
  step.to = register_of(expression, NFTA_PAYLOAD_DREG);
  return step;
}

FilterStep meta(const NftExpression& expression) {
  FilterStep step;
  step.a = expression.number(NFTA_META_KEY).value_or(UINT64_MAX);
  step.from = register_of(expression, NFTA_META_SREG);
  step.to = register_of(expression, NFTA_META_DREG);
  step.kind = StepKind::kMeta;
  if (expression.find(NFTA_META_SREG) == nullptr) return step;
  const bool is_harmless = step.a == NFT_META_NFTRACE || step.a == NFT_META_PRIORITY || step.a == NFT_META_SECMARK;
  step.kind = step.a == NFT_META_MARK ? StepKind::kSetMark : is_harmless ? StepKind::kNothing : StepKind::kWrite;
  return step;
}

FilterStep connection(const NftExpression& expression) {
  FilterStep step;
  step.a = expression.number(NFTA_CT_KEY).value_or(UINT64_MAX);
  step.direction = expression.number(NFTA_CT_DIRECTION);
  step.from = register_of(expression, NFTA_CT_SREG);
  step.to = register_of(expression, NFTA_CT_DREG);
  step.kind = StepKind::kConnection;
  if (expression.find(NFTA_CT_SREG) != nullptr)
    step.kind = step.a == NFT_CT_MARK ? StepKind::kSetConnectionMark : StepKind::kNothing;
  return step;
}

FilterStep route(const NftExpression& expression) {
  FilterStep step;
  step.kind = StepKind::kRoute;
  step.a = expression.number(NFTA_FIB_RESULT).value_or(0);
  step.b = expression.number(NFTA_FIB_FLAGS).value_or(0);
  step.to = register_of(expression, NFTA_FIB_DREG);
  step.is_inverted = (step.b & NFTA_FIB_F_PRESENT) != 0;
  return step;
}

FilterStep accept() {
  FilterStep step;
  step.kind = StepKind::kVerdict;
  step.verdict = NftVerdict{NF_ACCEPT, ""};
  return step;
}

FilterStep translation(const NftExpression& expression) {
  if (expression.number(NFTA_NAT_TYPE) != kOldRangeNat) return accept();  // the source changes
  FilterStep step;
  step.kind = StepKind::kTranslate;
  step.address = register_of(expression, NFTA_NAT_REG_ADDR_MIN);
  step.port = register_of(expression, NFTA_NAT_REG_PROTO_MIN);
  const auto other_address = expression.number(NFTA_NAT_REG_ADDR_MAX);
  const auto other_port = expression.number(NFTA_NAT_REG_PROTO_MAX);
  const auto flags = expression.number(NFTA_NAT_FLAGS).value_or(0);
  step.is_single =
      (!other_address || Registers::offset(*other_address) == step.address) &&
      (!other_port || Registers::offset(*other_port) == step.port) &&
      (flags & ~std::uint64_t{NF_NAT_RANGE_MAP_IPS | NF_NAT_RANGE_PROTO_SPECIFIED | NF_NAT_RANGE_PERSISTENT}) == 0;
  return step;
}

FilterStep redirection(const NftExpression& expression) {
  FilterStep step;
  step.kind = StepKind::kTranslate;
  step.to_this_host = true;
  step.port = register_of(expression, NFTA_REDIR_REG_PROTO_MIN);
  const auto other = expression.number(NFTA_REDIR_REG_PROTO_MAX);
  step.is_single = !other || Registers::offset(*other) == step.port;
  return step;
}

FilterStep extension(const NftExpression& expression, int family) {
  FilterStep step;
  step.extension = std::make_shared<const XtExtension>(xt_extension_of(expression));
  step.kind = StepKind::kMatch;
  if (expression.name == "match") return step;
  // In inet tables the structure may be that of either family.
  const auto target = family == NFPROTO_INET ? XtTarget() : xt_target_of(*step.extension, family);
  switch (target.kind) {
    case XtTargetKind::kContinue: step.kind = StepKind::kNothing; break;
    case XtTargetKind::kDrop:
      step.kind = StepKind::kVerdict;
      step.verdict = NftVerdict{NF_DROP, ""};
      break;
    case XtTargetKind::kAccept: return accept();
    case XtTargetKind::kUntrack: step.kind = StepKind::kUntrack; break;
    case XtTargetKind::kMark:
    case XtTargetKind::kForgetMark: step.kind = StepKind::kSetMark; break;
    case XtTargetKind::kTranslate: step.kind = StepKind::kTranslateTarget; break;
    case XtTargetKind::kUnknown: step.kind = StepKind::kEndUnknown; break;
  }
  return step;
}

// Which register it loads does not matter: none is trusted afterwards.
FilterStep unknown_value() {
  FilterStep step;
  step.kind = StepKind::kUnknownValue;
  step.to = 0;
  step.size = Registers::kSize;
  return step;
}

FilterStep drop() {
  FilterStep step;
  step.kind = StepKind::kVerdict;
  step.verdict = NftVerdict{NF_DROP, ""};
  return step;
}

FilterStep of_kind(StepKind kind) {
  FilterStep step;
  step.kind = kind;
  return step;
}

}  // namespace

FilterStep FilterProgram::step_of(const NftRule& rule, const NftExpression& expression) {
  const std::string_view name = expression.name;
  if (name == "immediate") return immediate(expression);
  if (name == "cmp") return compare(expression);
  if (name == "range") return range(expression);
  if (name == "bitwise") return bitwise(expression);
  if (name == "byteorder") return byteorder(expression);
  if (name == "payload") return payload(expression);
  if (name == "meta") return meta(expression);
  if (name == "ct") return connection(expression);
  if (name == "fib") return route(expression);
  if (name == "nat") return translation(expression);
  if (name == "redir") return redirection(expression);
  if (name == "masq") return accept();
  if (name == "reject") return drop();
  if (name == "notrack") return of_kind(StepKind::kUntrack);
  if (name == "match" || name == "target") return extension(expression, rule.family);
  if (is_one_of(name, kHarmless)) return of_kind(StepKind::kNothing);
  if (is_one_of(name, kConditions) || name == "dynset" || name == "objref") return of_kind(StepKind::kPerhaps);
  if (is_one_of(name, kLoads)) return unknown_value();
  if (name != "lookup") return of_kind(StepKind::kEndUnknown);
  FilterStep step;
  step.kind = StepKind::kLookup;
  step.from = register_of(expression, NFTA_LOOKUP_SREG);
  step.to = register_of(expression, NFTA_LOOKUP_DREG);
  step.is_inverted = (expression.number(NFTA_LOOKUP_FLAGS).value_or(0) & NFT_LOOKUP_F_INV) != 0;
  step.a = expression.find(NFTA_LOOKUP_DREG) != nullptr ? 1 : 0;
  const auto* set = expression.find(NFTA_LOOKUP_SET);
  const auto found = sets_.find({rule.family, rule.table, std::string(text_until_nul(set == nullptr ? "" : *set))});
  step.set = found == sets_.end() ? nullptr : &found->second;
  return step;
}

FilterProgram::FilterProgram(NftRuleset ruleset) : ruleset_(std::move(ruleset)) {
  std::set<std::pair<int, std::string>> dormant;
  for (const auto& table : ruleset_.tables) {
    if ((table.flags & NFT_TABLE_F_DORMANT) != 0) dormant.emplace(table.family, table.name);
  }
  for (const auto& set : ruleset_.sets) sets_.try_emplace({set.family, set.table, set.name}, set);
  for (const auto& chain : ruleset_.chains) {
    auto& place = chains_[{chain.family, chain.table, chain.name}];
    place.chain = &chain;
    if (chain.hook && !dormant.contains({chain.family, chain.table})) base_chains_.push_back(&place);
  }
  for (const auto& rule : ruleset_.rules) {
    const auto chain = chains_.find({rule.family, rule.table, rule.chain});
    if (chain == chains_.end()) continue;
    FilterRule out{&rule, {}};
    for (const auto& expression : rule.expressions) {
      out.steps.push_back(step_of(rule, expression));
      const auto kind = out.steps.back().kind;
      sets_marks_ = sets_marks_ || kind == StepKind::kSetMark || kind == StepKind::kSetConnectionMark;
      untracks_ = untracks_ || kind == StepKind::kUntrack;
      writes_ = writes_ || kind == StepKind::kWrite;
    }
    chain->second.rules.push_back(std::move(out));
  }
}

const FilterChain* FilterProgram::find(int family, std::string_view table, std::string_view chain) const {
  const auto found = chains_.find({family, std::string(table), std::string(chain)});
  return found == chains_.end() ? nullptr : &found->second;
}

}  // namespace gpuharden
