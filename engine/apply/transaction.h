// SPDX-License-Identifier: GPL-2.0-or-later
// One change of a machine, from its plan to its end, as the journal tells it. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/apply/step.h"

namespace gpuharden {

// What must be known again to take a transaction back, whoever does it.
struct TransactionHeader {
  std::string id;            // time and four random digits: sorts by age
  std::string tool_version;  // of gpuharden
  std::string profile;
  std::int64_t started = 0;  // seconds since the epoch
  std::string boot_id;       // of the boot it was made in; empty for a tree
  // Taken back unless confirmed in time. Both clocks: seconds since the epoch, and since the boot.
  std::optional<std::int64_t> confirm_until;
  std::optional<std::int64_t> confirm_until_uptime;
  bool survives_boot = false;  // its point is seen after a reboot: the window stays open over one
};

enum class TransactionState {
  kBegun,      // interrupted between its first step and its end
  kApplied,    // all steps done
  kConfirmed,  // and confirmed
  kReverting,  // interrupted while it was taken back
  kReverted,   // nothing of it is left, but for the steps in `kept`
};
std::string_view to_string(TransactionState state);

struct Transaction {
  TransactionHeader header;
  std::vector<Step> steps;
  TransactionState state = TransactionState::kBegun;
  std::string reason;             // why it was taken back
  std::vector<std::string> kept;  // steps that could not be, with the reason
  std::int64_t ended = 0;         // seconds since the epoch, of the last record
};

// Whether it waits for a confirmation at this moment.
bool is_unconfirmed(const Transaction& transaction);
// Whether it has to be taken back now: interrupted, or its window is over, by either clock or by a boot.
struct Clocks {
  std::int64_t now = 0;     // seconds since the epoch
  std::int64_t uptime = 0;  // seconds since the boot
  std::string boot_id;
};
Clocks read_clocks();
bool is_to_be_reverted(const Transaction& transaction, const Clocks& clocks);

}  // namespace gpuharden
