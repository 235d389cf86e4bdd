// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/model/outcome.h"

#include <array>

#include "engine/model/waiver.h"

namespace gpuharden {
namespace {

constexpr std::array<std::string_view, 5> kSeverities = {"info", "low", "medium", "high", "critical"};
constexpr std::array<std::string_view, 2> kMaturities = {"experimental", "stable"};
constexpr std::array<std::string_view, 7> kOutcomes = {"not-applicable", "pass",  "not-evaluated", "waived",
                                                       "unknown",        "error", "fail"};
constexpr std::array<std::string_view, 4> kWaiverStates = {"active", "unmatched", "expired", "not-used"};

template <typename Enum, std::size_t kSize>
std::optional<Enum> parse(const std::array<std::string_view, kSize>& words, std::string_view word) {
  for (std::size_t i = 0; i < kSize; ++i) {
    if (words[i] == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(Severity severity) { return kSeverities.at(static_cast<std::size_t>(severity)); }
std::string_view to_string(Maturity maturity) { return kMaturities.at(static_cast<std::size_t>(maturity)); }
std::string_view to_string(Outcome outcome) { return kOutcomes.at(static_cast<std::size_t>(outcome)); }

std::string_view to_string(WaiverState state) { return kWaiverStates.at(static_cast<std::size_t>(state)); }

std::optional<Severity> parse_severity(std::string_view word) { return parse<Severity>(kSeverities, word); }
std::optional<Maturity> parse_maturity(std::string_view word) { return parse<Maturity>(kMaturities, word); }
std::optional<Outcome> parse_outcome(std::string_view word) { return parse<Outcome>(kOutcomes, word); }
std::optional<WaiverState> parse_waiver_state(std::string_view word) { return parse<WaiverState>(kWaiverStates, word); }

}  // namespace gpuharden
