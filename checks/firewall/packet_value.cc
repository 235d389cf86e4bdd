// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/firewall/packet_value.h"

#include <linux/netfilter/nf_tables.h>

#include <algorithm>
#include <bitset>

namespace gpuharden {
namespace {

// A network at least this long is a choice of addresses; a shorter one is the Internet.
constexpr std::size_t kChosenBits4 = 8;
constexpr std::size_t kChosenBits6 = 16;
constexpr std::string_view kLoopbackName("lo\0", 3);
constexpr std::string_view kLoopbackIndex("\1\0\0\0", 4);

// Whether a comparison says the excluded value, and all of it that counts.
bool says_excluded(Excluded excluded, std::string_view wanted) {
  if (excluded == Excluded::kLoopbackName) return wanted.substr(0, kLoopbackName.size()) == kLoopbackName;
  return excluded == Excluded::kLoopbackIndex && wanted.substr(0, kLoopbackIndex.size()) == kLoopbackIndex;
}

// Bits of the source address that are compared; 0 when other things are compared too.
std::size_t source_bits(const Registers& registers, std::size_t at, std::size_t size) {
  std::size_t bits = 0;
  for (std::size_t i = at; i < at + size; ++i) {
    const auto& byte = registers.at(i);
    const auto unknown = std::bitset<8>(static_cast<std::uint8_t>(~byte.known)).count();
    if (unknown > 0 && !byte.is_source_address) return 0;
    bits += unknown;
  }
  return bits;
}

std::size_t chosen_bits(std::size_t size) { return size <= 4 ? kChosenBits4 : kChosenBits6; }

unsigned char byte_of(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

}  // namespace

Match operator&(const Match& a, const Match& b) {
  if (!a.may_hold || !b.may_hold) return Match::no();
  return {true, a.may_fail || b.may_fail, a.doubt | b.doubt};
}

PacketValue PacketValue::known(std::string_view bytes) {
  PacketValue value;
  for (const char c : bytes) value.bytes.push_back({0xff, static_cast<std::uint8_t>(c), kNoDoubt, false});
  return value;
}

PacketValue PacketValue::unknown(std::size_t size, Doubt doubt) {
  PacketValue value;
  value.bytes.assign(std::min(size, Registers::kSize), {0, 0, static_cast<std::uint8_t>(doubt), false});
  return value;
}

std::size_t Registers::offset(std::uint64_t number) {
  if (number >= NFT_REG_1 && number <= NFT_REG_4) return (number - NFT_REG_1) * 16;
  if (number >= NFT_REG32_00 && number <= NFT_REG32_15) return (number - NFT_REG32_00) * 4;
  return kSize;
}

void Registers::store(std::size_t at, const PacketValue& value) {
  std::size_t i = 0;
  for (; i < value.bytes.size() && at + i < kSize; ++i) bytes_[at + i] = value.bytes[i];
  touch(at, value.bytes.size());
  for (; at + i < kSize && (at + i) % 4 != 0; ++i) bytes_[at + i] = {0xff, 0, kNoDoubt, false};
  if (at / 4 < excluded_.size() && at % 4 == 0) excluded_[at / 4] = value.excluded;
}

void Registers::touch(std::size_t at, std::size_t size) {
  for (std::size_t i = at / 4; i < excluded_.size() && i * 4 < at + size; ++i) excluded_[i] = Excluded::kNothing;
}

bool Registers::is_known(std::size_t at, std::size_t size) const {
  for (std::size_t i = at; i < at + size; ++i) {
    if (i >= kSize || bytes_[i].known != 0xff) return false;
  }
  return true;
}

std::string Registers::known_bytes(std::size_t at, std::size_t size) const {
  std::string out;
  for (std::size_t i = at; i < at + size && i < kSize; ++i) out += static_cast<char>(bytes_[i].value);
  return out;
}

Doubt Registers::doubt(std::size_t at, std::size_t size) const {
  Doubt all = kNoDoubt;
  for (std::size_t i = at; i < at + size; ++i) {
    if (i >= kSize) return kDoubtOther;
    if (bytes_[i].known != 0xff) all |= bytes_[i].doubt;
  }
  return all;
}

Match equals(const Registers& registers, std::size_t at, std::string_view wanted, Sender sender) {
  if (wanted.empty() || at + wanted.size() > Registers::kSize) return Match::maybe(kDoubtOther);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto& byte = registers.at(at + i);
    if (((byte.value ^ byte_of(wanted, i)) & byte.known) != 0) return Match::no();
  }
  if (registers.is_known(at, wanted.size())) return Match::yes();
  if (says_excluded(registers.excluded(at), wanted)) return Match::no();
  if (sender == Sender::kStranger && source_bits(registers, at, wanted.size()) >= chosen_bits(wanted.size()))
    return Match::no();
  return Match::maybe(registers.doubt(at, wanted.size()));
}

Match lies_between(const Registers& registers, std::size_t at, std::string_view from, std::string_view to,
                   Sender sender) {
  if (from.empty() || from.size() != to.size() || at + from.size() > Registers::kSize) return Match::maybe(kDoubtOther);
  if (from == to) return equals(registers, at, from, sender);
  if (registers.is_known(at, from.size())) {
    const auto value = registers.known_bytes(at, from.size());
    // std::string_view compares as unsigned bytes.
    return Match::of(std::string_view(value) >= from && std::string_view(value) <= to);
  }
  const auto shared =
      static_cast<std::size_t>(std::mismatch(from.begin(), from.end(), to.begin()).first - from.begin());
  const bool is_source = source_bits(registers, at, from.size()) == from.size() * 8;
  if (sender == Sender::kStranger && is_source && shared * 8 >= chosen_bits(from.size())) return Match::no();
  return Match::maybe(registers.doubt(at, from.size()));
}

}  // namespace gpuharden
