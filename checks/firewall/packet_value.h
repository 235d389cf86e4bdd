// SPDX-License-Identifier: GPL-2.0-or-later
// What is known of a packet that anyone may send: bytes of which some bits are known, and why others are not.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

// Why a condition may hold for one packet and not for another; a set of bits.
using Doubt = unsigned;
constexpr Doubt kNoDoubt = 0;
constexpr Doubt kDoubtSource = 1;       // who sends it
constexpr Doubt kDoubtInterface = 2;    // where it comes in or goes out
constexpr Doubt kDoubtDestination = 4;  // which address of the host it is for
constexpr Doubt kDoubtOther = 8;        // not understood, or not to be foretold

// Whether a condition holds for some of the packets, and whether it fails for some.
struct Match {
  bool may_hold = true;
  bool may_fail = false;
  Doubt doubt = kNoDoubt;

  static Match yes() { return {}; }
  static Match no() { return {false, true, kNoDoubt}; }
  static Match maybe(Doubt doubt) { return {true, true, doubt}; }
  static Match of(bool holds) { return holds ? yes() : no(); }
  Match negated() const { return {may_fail, may_hold, doubt}; }
  bool is_certain() const { return may_hold != may_fail; }
};
// Both hold.
Match operator&(const Match& a, const Match& b);

// A known value that a field surely does not have.
enum class Excluded : std::uint8_t { kNothing, kLoopbackName, kLoopbackIndex };

struct PacketByte {
  std::uint8_t known = 0;  // bits that are known
  std::uint8_t value = 0;
  std::uint8_t doubt = kDoubtOther;
  bool is_source_address = false;
};

// Some bytes of a packet or of its surroundings, in the order that the kernel has them.
struct PacketValue {
  std::vector<PacketByte> bytes;
  Excluded excluded = Excluded::kNothing;

  static PacketValue known(std::string_view bytes);
  static PacketValue unknown(std::size_t size, Doubt doubt);
};

// The sixteen registers of 32 bits that a rule calculates with.
class Registers {
 public:
  static constexpr std::size_t kSize = 64;

  // The place of a register's first byte, by its number in messages; kSize for one that is not there.
  static std::size_t offset(std::uint64_t number);

  // The last register is filled up with zeros; what would lie beyond is left out.
  void store(std::size_t at, const PacketValue& value);
  PacketByte& at(std::size_t index) { return bytes_[index]; }
  const PacketByte& at(std::size_t index) const { return bytes_[index]; }
  Excluded excluded(std::size_t at) const { return at % 4 == 0 ? excluded_[at / 4] : Excluded::kNothing; }
  void touch(std::size_t at, std::size_t size);  // its bytes are no longer what was loaded

  bool is_known(std::size_t at, std::size_t size) const;
  std::string known_bytes(std::size_t at, std::size_t size) const;
  Doubt doubt(std::size_t at, std::size_t size) const;

 private:
  std::array<PacketByte, kSize> bytes_;
  std::array<Excluded, kSize / 4> excluded_{};
};

// Who may send: anyone at all, or a stranger, whose address no rule names.
enum class Sender : std::uint8_t { kAnyone, kStranger };

// Whether the bytes at `at` are `wanted`.
Match equals(const Registers& registers, std::size_t at, std::string_view wanted, Sender sender);
// Whether they lie between the two, both included.
Match lies_between(const Registers& registers, std::size_t at, std::string_view from, std::string_view to,
                   Sender sender);

}  // namespace gpuharden
