// SPDX-License-Identifier: GPL-2.0-or-later
// Follows every packet that a peer may send through one base chain: what may become of them.
#pragma once

#include <optional>
#include <vector>

#include "checks/firewall/filter_program.h"
#include "checks/firewall/packet.h"

namespace gpuharden {

// Packets that may be at some point, of all that a peer may send.
struct Crowd {
  bool exists = false;
  Doubt doubt = kNoDoubt;  // why not all are here
  PacketMarks marks;
  const NftRule* split_at = nullptr;    // the first rule where others took another way
  const NftRule* doubted_at = nullptr;  // the first where it cannot be told which way which took

  static Crowd everybody(const PacketMarks& marks);
  Crowd part(const Match& match, const NftRule* rule) const;
  void merge(const Crowd& other);
};

// Where a packet may be sent instead.
struct Translation {
  Crowd crowd;
  bool to_this_host = false;
  bool sets_port = false, sets_address = false;
  std::optional<std::string> address;  // bytes; nothing when it may be one of several
  std::optional<std::uint16_t> port;
  const NftRule* rule = nullptr;
};

struct ChainOutcome {
  Crowd accepted, dropped;
  const NftRule* accepted_by = nullptr;  // the first rule that may accept, that may drop
  const NftRule* dropped_by = nullptr;
  Crowd left;  // came out at the end: the policy decides
  std::vector<Translation> translations;
  bool is_exhausted = false;  // too many steps: nothing of this holds
};

// Counts down; shared by all runs for one question.
struct StepBudget {
  std::size_t left = 400'000;
};

// `packet.marks` are those before the chain.
ChainOutcome run_chain(const FilterProgram& program, const FilterChain& chain, const Packet& packet, const Crowd& crowd,
                       StepBudget& budget);

}  // namespace gpuharden
