// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/firewall/filter_steps.h"

#include <linux/in.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>

#include <algorithm>
#include <cstring>

#include "engine/native/netlink_bytes.h"

namespace gpuharden {
namespace {

// A step without a register of its own makes no sense: nothing that it says is trusted.
bool has_room(std::size_t at, std::size_t size) { return at < Registers::kSize && at + size <= Registers::kSize; }

Match forget_all(Registers& registers) {
  registers.store(0, PacketValue::unknown(Registers::kSize, kDoubtOther));
  return Match::yes();
}

// The value as long as the register that takes it; a load that fails keeps the rule from matching.
Match load(const FilterStep& step, Registers& registers, PacketValue value) {
  if (!has_room(step.to, 1)) return forget_all(registers), Match::maybe(kDoubtOther);
  registers.store(step.to, value);
  return Match::yes();
}

// What lies behind the headers may not be there: the rule then does not match.
Match load_payload(const FilterStep& step, Registers& registers, const Packet& packet) {
  constexpr std::size_t kTcpHeader = 20;
  constexpr std::size_t kUdpHeader = 8;
  const Match match = load(step, registers, payload_of(packet, step.a, step.b, step.size));
  const std::size_t header = packet.protocol == IPPROTO_TCP ? kTcpHeader : kUdpHeader;
  const bool is_there = step.a <= NFT_PAYLOAD_NETWORK_HEADER ||
                        (step.a == NFT_PAYLOAD_TRANSPORT_HEADER && step.b < header && step.size <= header - step.b);
  return is_there ? match : match & Match::maybe(kDoubtOther);
}

Match load_bitwise(const FilterStep& step, Registers& registers) {
  if (!has_room(step.from, step.size) || !has_room(step.to, step.size)) return forget_all(registers);
  PacketValue value;
  for (std::size_t i = 0; i < step.size; ++i) {
    auto byte = registers.at(step.from + i);
    const auto mask = static_cast<std::uint8_t>(step.low[i]);
    const auto flips = static_cast<std::uint8_t>(step.high[i]);
    byte.known = static_cast<std::uint8_t>(byte.known | static_cast<std::uint8_t>(~mask));
    byte.value = static_cast<std::uint8_t>((byte.value & mask) ^ flips);
    byte.is_source_address = byte.is_source_address && flips == 0;
    value.bytes.push_back(byte);
  }
  const bool is_copy = step.low == std::string(step.size, '\xff') && step.high == std::string(step.size, '\0');
  if (is_copy) value.excluded = registers.excluded(step.from);
  registers.store(step.to, value);
  return Match::yes();
}

Match load_reversed(const FilterStep& step, Registers& registers) {
  const std::size_t unit = step.a;
  if ((unit != 2 && unit != 4 && unit != 8) || !has_room(step.from, step.size) || !has_room(step.to, step.size) ||
      step.size % unit != 0)
    return forget_all(registers);
  PacketValue value;
  for (std::size_t i = 0; i < step.size; ++i) {
    value.bytes.push_back(registers.at(step.from + (i / unit * unit) + (unit - 1 - i % unit)));
    value.bytes.back().is_source_address = false;
  }
  registers.store(step.to, value);
  return Match::yes();
}

// memcmp() of the register with the data.
Match compares(const FilterStep& step, const Registers& registers, Sender sender) {
  if (!has_room(step.from, step.low.size()) || step.low.empty()) return Match::maybe(kDoubtOther);
  const std::string lowest(step.low.size(), '\0');
  const std::string highest(step.low.size(), '\xff');
  const auto equal = [&] { return equals(registers, step.from, step.low, sender); };
  const auto at_most = [&] { return lies_between(registers, step.from, lowest, step.low, sender); };
  const auto at_least = [&] { return lies_between(registers, step.from, step.low, highest, sender); };
  switch (step.a) {
    case NFT_CMP_EQ: return equal();
    case NFT_CMP_NEQ: return equal().negated();
    case NFT_CMP_LT: return at_least().negated();
    case NFT_CMP_LTE: return at_most();
    case NFT_CMP_GT: return at_most().negated();
    case NFT_CMP_GTE: return at_least();
    default: return Match::maybe(kDoubtOther);
  }
}

Match ranges(const FilterStep& step, const Registers& registers, Sender sender) {
  const Match match = has_room(step.from, step.low.size())
                          ? lies_between(registers, step.from, step.low, step.high, sender)
                          : Match::maybe(kDoubtOther);
  return step.is_inverted ? match.negated() : match;
}

// A set or a map that is no verdict map.
Match looks_up(const FilterStep& step, Registers& registers, Sender sender) {
  if (step.set == nullptr || step.from == Registers::kSize) return forget_all(registers), Match::maybe(kDoubtOther);
  const auto answer = step.set->find(registers, step.from, sender);
  if (step.a == 1) {
    const bool is_one = answer.elements.size() == 1 && !answer.is_overfull && answer.elements[0]->data;
    const Doubt doubt = answer.match.doubt == kNoDoubt ? kDoubtOther : answer.match.doubt;
    registers.store(step.to, is_one ? PacketValue::known(answer.elements[0]->data->bytes)
                                    : PacketValue::unknown(Registers::kSize, doubt));
    if (!is_one) return forget_all(registers), answer.match;
  }
  return step.is_inverted ? answer.match.negated() : answer.match;
}

std::optional<std::uint32_t> number_in(const Registers& registers, std::size_t at) {
  if (!has_room(at, 4) || !registers.is_known(at, 4)) return std::nullopt;
  std::uint32_t value = 0;
  std::memcpy(&value, registers.known_bytes(at, 4).data(), sizeof value);
  return value;
}

Match set_mark(const FilterStep& step, const Registers& registers, Packet& packet) {
  if (!step.extension) {
    packet.marks.mark = number_in(registers, step.from);
    return Match::yes();
  }
  const auto target = xt_target_of(*step.extension, packet.family);
  if (target.kind == XtTargetKind::kMark && packet.marks.mark) {
    packet.marks.mark = (*packet.marks.mark & ~target.mask) ^ target.value;
  } else {
    packet.marks.mark = std::nullopt;
  }
  if (target.kind == XtTargetKind::kForgetMark) packet.marks.connection_mark = std::nullopt;
  return Match::yes();
}

}  // namespace

Match step_matches(const FilterStep& step, Registers& registers, Packet& packet) {
  switch (step.kind) {
    case StepKind::kPayload: return load_payload(step, registers, packet);
    case StepKind::kMeta: return load(step, registers, meta_of(packet, step.a));
    case StepKind::kConnection: return load(step, registers, connection_of(packet, step.a, step.direction));
    case StepKind::kRoute: return load(step, registers, route_of(packet, step.a, step.b));
    case StepKind::kImmediate: return load(step, registers, PacketValue::known(step.low));
    case StepKind::kUnknownValue: return forget_all(registers), Match::maybe(kDoubtOther);
    case StepKind::kBitwise: return load_bitwise(step, registers);
    case StepKind::kByteorder: return load_reversed(step, registers);
    case StepKind::kCompare: return compares(step, registers, packet.sender);
    case StepKind::kRange: return ranges(step, registers, packet.sender);
    case StepKind::kLookup: return looks_up(step, registers, packet.sender);
    case StepKind::kMatch: return xt_matches(*step.extension, packet);
    case StepKind::kSetMark: return set_mark(step, registers, packet);
    case StepKind::kSetConnectionMark:
      packet.marks.connection_mark = number_in(registers, step.from);
      return Match::yes();
    case StepKind::kWrite: packet.marks.is_changed = true; return Match::yes();
    case StepKind::kUntrack: packet.marks.is_tracked = false; return Match::yes();
    case StepKind::kPerhaps: return Match::maybe(kDoubtOther);
    default: return Match::yes();
  }
}

Translation translation_of(const FilterStep& step, const Registers& registers, const Packet& packet, int family) {
  Translation out;
  if (step.kind == StepKind::kTranslateTarget) {
    const auto target = xt_target_of(*step.extension, family);
    out.to_this_host = target.to_this_host;
    out.sets_address = target.sets_address;
    out.sets_port = target.sets_port;
    out.address = target.address;
    out.port = target.port;
    return out;
  }
  const std::size_t size = packet.family == NFPROTO_IPV4 ? 4 : 16;
  out.to_this_host = step.to_this_host;
  out.sets_address = step.address != Registers::kSize;
  out.sets_port = step.port != Registers::kSize;
  if (out.sets_address && step.is_single && has_room(step.address, size) && registers.is_known(step.address, size))
    out.address = registers.known_bytes(step.address, size);
  if (out.sets_port && step.is_single && has_room(step.port, 2) && registers.is_known(step.port, 2))
    out.port = static_cast<std::uint16_t>(network_number(registers.known_bytes(step.port, 2)).value_or(0));
  if (!step.is_single) out.sets_address = out.sets_port = true;
  return out;
}

}  // namespace gpuharden
