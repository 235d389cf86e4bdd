// SPDX-License-Identifier: GPL-2.0-or-later
// What waivers do to a report. The same for an audit and for what `apply` leaves alone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/model/report.h"

namespace gpuharden {

struct WaiverDay {
  std::int64_t today = 0;                  // UTC
  std::optional<std::int64_t> not_before;  // when the rules were written: an earlier today is no day to rest on
};

// Turns the failing and unknown rows that a waiver covers into waived ones and judges horizons and rules again;
// fills report.waivers and adds a warning for each waiver that expired, covers nothing or ends within a month.
// Errors are never covered, and what could not be read only by a waiver of the rule as a whole. Rules are left in
// their order, gate and exit code as they are.
void apply_waivers(const std::vector<Waiver>& waivers, const WaiverDay& day, Report& report);

// Some waiver that is in use ends within that many days.
bool any_expires_within(const Report& report, std::int64_t days);

}  // namespace gpuharden
