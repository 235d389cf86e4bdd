// SPDX-License-Identifier: GPL-2.0-or-later
// The stanza format of deb822(5), read as libapt-pkg reads it with comments allowed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct Deb822Field {
  std::string name;        // as written, without blanks around it
  std::string value;       // all its lines, joined by '\n', without white space at both ends
  std::uint32_t line = 0;  // from 1
};

struct Deb822Stanza {
  std::uint32_t line = 0;           // of its first field
  std::string text;                 // its lines as written, comments included
  std::vector<Deb822Field> fields;  // in order, repeats included
  bool unfinished = false;          // the text ends within a field name: libapt-pkg refuses the file
};

// Stanzas end at an empty line; a line with only blanks goes on. A '#' in the first column starts
// a comment line, also between the lines of a folded field. A line without a colon swallows what
// follows up to the next colon as its name, as in libapt-pkg. Never fails.
std::vector<Deb822Stanza> parse_deb822(std::string_view text);

// The field of that name (case does not matter); of repeated ones the last, as apt takes it.
// nullptr when there is none.
const Deb822Field* find_field(const Deb822Stanza& stanza, std::string_view name);

// The names that occur more than once, as first written.
std::vector<std::string> repeated_fields(const Deb822Stanza& stanza);

}  // namespace gpuharden
