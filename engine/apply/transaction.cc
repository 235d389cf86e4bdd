// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/transaction.h"

#include <array>
#include <ctime>

namespace gpuharden {
namespace {

std::int64_t seconds(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return time.tv_sec;
}

}  // namespace

std::string_view to_string(TransactionState state) {
  constexpr std::array<std::string_view, 5> kWords = {"begun", "applied", "confirmed", "reverting", "reverted"};
  return kWords.at(static_cast<std::size_t>(state));
}

bool is_unconfirmed(const Transaction& transaction) {
  return transaction.state == TransactionState::kApplied && transaction.header.confirm_until.has_value();
}

Clocks read_clocks() { return {seconds(CLOCK_REALTIME), seconds(CLOCK_BOOTTIME), {}}; }

bool is_to_be_reverted(const Transaction& transaction, const Clocks& clocks) {
  const bool is_interrupted =
      transaction.state == TransactionState::kBegun || transaction.state == TransactionState::kReverting;
  if (is_interrupted) return true;
  if (!is_unconfirmed(transaction)) return false;
  const auto& header = transaction.header;
  const bool is_same_boot = header.boot_id == clocks.boot_id;
  // Nobody can have confirmed what a reboot has interrupted, unless it was meant to be seen after one.
  if (!is_same_boot && !header.survives_boot) return true;
  // A clock that was set back must not keep the window open: within one boot the uptime decides as well.
  const bool uptime_over = is_same_boot && header.confirm_until_uptime && clocks.uptime >= *header.confirm_until_uptime;
  return uptime_over || clocks.now >= *header.confirm_until;
}

}  // namespace gpuharden
