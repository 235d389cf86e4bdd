// SPDX-License-Identifier: GPL-2.0-or-later
// Words and small forms that several report formats share.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/model/report.h"

namespace gpuharden {

// Every outcome, in the order in which reports count them.
constexpr std::array<Outcome, 7> kOutcomesWorstFirst = {
    Outcome::kFail,         Outcome::kError, Outcome::kUnknown,      Outcome::kWaived,
    Outcome::kNotEvaluated, Outcome::kPass,  Outcome::kNotApplicable};
constexpr std::array<Severity, 5> kSeveritiesWorstFirst = {Severity::kCritical, Severity::kHigh, Severity::kMedium,
                                                           Severity::kLow, Severity::kInfo};

// "2026-11-30T02:39:41Z" of seconds since the epoch.
std::string format_time(std::int64_t seconds);
std::optional<std::int64_t> parse_time(std::string_view text);

// "not-applicable" and "next_boot" as people say them.
std::string in_words(std::string_view name);

// At most `limit` bytes and whole characters of valid UTF-8; what is cut says how long it was: "abc… (1048576 bytes)".
std::string cut_text(std::string_view text, std::size_t limit);

// Characters, which are columns of a terminal for almost all texts.
std::size_t columns_of(std::string_view text);
// "x" and blanks up to that width.
std::string pad(std::string_view text, std::size_t width);

// Rules with that outcome; 0 when there is none.
std::int64_t count_of(const std::map<Outcome, std::int64_t>& counts, Outcome outcome);
// Failing rules by severity; all severities are there.
std::map<Severity, std::int64_t> failed_by_severity(const Report& report);

// A cell as text: "unknown" never stands for an empty text.
std::string evidence_text(const Evidence& evidence);

// "accepted by alice until 2027-01-31: the reason"
std::string waiver_sentence(const AppliedWaiver& waiver);

}  // namespace gpuharden
