// SPDX-License-Identifier: GPL-2.0-or-later
// Days of the calendar, without clocks and time zones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

constexpr std::int64_t kSecondsPerDay = 86400;

// "2026-08-18" as days since 1970-01-01; nothing for what is no day of the calendar.
std::optional<std::int64_t> parse_date(std::string_view text);

// The same; "2026-06" means the last day of that month.
std::optional<std::int64_t> parse_last_day(std::string_view text);

// "2026-08-18"
std::string format_date(std::int64_t days);

// The day (UTC) of a time in seconds since the epoch.
std::int64_t day_of(std::int64_t seconds);

}  // namespace gpuharden
