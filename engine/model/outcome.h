// SPDX-License-Identifier: GPL-2.0-or-later
// The words of a verdict, and the order in which they win.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpuharden {

enum class Severity : std::uint8_t { kInfo, kLow, kMedium, kHigh, kCritical };
enum class Maturity : std::uint8_t { kExperimental, kStable };

// In rising order: the worst of several is the greatest.
enum class Outcome : std::uint8_t {
  kNotApplicable,  // nothing to examine
  kPass,
  kNotEvaluated,  // this kind of host cannot hold the facts; never green, not gated
  kWaived,
  kUnknown,  // something that matters could not be read
  kError,    // the tool or the rule failed
  kFail,
};

std::string_view to_string(Severity severity);
std::string_view to_string(Maturity maturity);
// "pass", "fail", "unknown", "error", "waived", "not-applicable", "not-evaluated"
std::string_view to_string(Outcome outcome);

std::optional<Severity> parse_severity(std::string_view word);
std::optional<Maturity> parse_maturity(std::string_view word);
std::optional<Outcome> parse_outcome(std::string_view word);

constexpr Outcome worse(Outcome a, Outcome b) { return a < b ? b : a; }

}  // namespace gpuharden
