// SPDX-License-Identifier: GPL-2.0-or-later
// A finding that somebody answers for until a day. It stays visible, and stops deciding the verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/model/outcome.h"
#include "engine/model/rule.h"

namespace gpuharden {

struct Waiver {
  std::string rule;  // an id, no glob: what is waived is named
  std::string reason;
  std::string owner;
  std::int64_t expires = 0;         // a day since 1970-01-01; the waiver holds through its end, in UTC
  std::string subject, file, host;  // globs that narrow it; empty: any
  std::string horizon;              // now, persistent or next_boot; empty: any
  SourcePlace place;
  // Named neither a subject nor a file: the rule as a whole is waived, whatever it finds.
  bool covers_whole_rule() const { return subject.empty() && file.empty(); }
};

// What a waived finding says of its waiver.
struct AppliedWaiver {
  std::string reason;
  std::string owner;
  std::string expires;           // "2027-01-31"
  Outcome was = Outcome::kFail;  // without the waiver
};

enum class WaiverState : std::uint8_t {
  kActive,     // it holds, and covers something
  kUnmatched,  // it covers nothing
  kExpired,    // its day is over: what it covered counts again
  kNotUsed,    // the clock cannot be trusted, so no day can be
};

// "active", "unmatched", "expired", "not-used"
std::string_view to_string(WaiverState state);
std::optional<WaiverState> parse_waiver_state(std::string_view word);

// A waiver and what became of it in one audit.
struct WaiverUse {
  Waiver waiver;
  WaiverState state = WaiverState::kUnmatched;
  std::int64_t days_left = 0;  // 0 on its last day; negative once it expired
  std::int64_t matched = 0;    // findings that it covers
};

}  // namespace gpuharden
