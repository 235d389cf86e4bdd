// SPDX-License-Identifier: GPL-2.0-or-later
// The format of apt_preferences(5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct AptPin {
  std::uint32_t line = 0;             // of the stanza, from 1
  std::vector<std::string> packages;  // names, globs, /expressions/, src:names
  bool covers_all = false;            // one of them is "*", or matches every name
  std::string pin;                    // the value of Pin, its kind included
  std::string kind;                   // version, release, origin; empty when apt knows no such kind
  // Of a release pin: o=, l=, a=, n=. Of an origin pin: `site`. Empty when not named.
  std::string origin, label, archive, codename, site;
  std::optional<std::int64_t> priority;
  std::string fault;  // why apt refuses the stanza; empty when it does not
};

// Stanzas that have only comments and explanations are passed over.
std::vector<AptPin> parse_apt_preferences(std::string_view text);

// Whether apt reads a file of that name from preferences.d: no extension or .pref.
bool is_apt_preferences_name(std::string_view name);

}  // namespace gpuharden
