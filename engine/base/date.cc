// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/base/date.h"

#include <chrono>
#include <cstdio>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

using std::chrono::day;
using std::chrono::month;
using std::chrono::year;
using std::chrono::year_month;
using std::chrono::year_month_day;
using std::chrono::year_month_day_last;

std::int64_t days_of(const year_month_day& date) { return std::chrono::sys_days(date).time_since_epoch().count(); }

// The digits of a part that must have so many of them.
std::optional<unsigned> number(std::string_view text, std::size_t digits) {
  const auto value = text.size() == digits ? parse_unsigned(text) : std::nullopt;
  return value ? std::optional(static_cast<unsigned>(*value)) : std::nullopt;
}

std::optional<year_month> month_of(std::string_view year_text, std::string_view month_text) {
  const auto years = number(year_text, 4);
  const auto months = number(month_text, 2);
  if (!years || !months) return std::nullopt;
  const year_month out = year(static_cast<int>(*years)) / month(*months);
  return out.ok() ? std::optional(out) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> parse_date(std::string_view text) {
  const auto parts = split(text, '-');
  if (parts.size() != 3) return std::nullopt;
  const auto begin = month_of(parts[0], parts[1]);
  const auto days = number(parts[2], 2);
  if (!begin || !days) return std::nullopt;
  const year_month_day date = *begin / day(*days);
  return date.ok() ? std::optional(days_of(date)) : std::nullopt;
}

std::optional<std::int64_t> parse_last_day(std::string_view text) {
  const auto parts = split(text, '-');
  if (parts.size() != 2) return parse_date(text);
  const auto begin = month_of(parts[0], parts[1]);
  if (!begin) return std::nullopt;
  return days_of(year_month_day(year_month_day_last(*begin / std::chrono::last)));
}

std::string format_date(std::int64_t days) {
  const std::chrono::sys_days point{std::chrono::days(days)};
  const year_month_day date(point);
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()));
  return text;
}

std::int64_t day_of(std::int64_t seconds) { return seconds / kSecondsPerDay - (seconds % kSecondsPerDay < 0 ? 1 : 0); }

}  // namespace gpuharden
