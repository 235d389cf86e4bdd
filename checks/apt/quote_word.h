// SPDX-License-Identifier: GPL-2.0-or-later
// The words that libapt-pkg reads in sources.list(5) and apt.conf(5).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

// The text from its first character that is no white space.
std::string_view skip_space(std::string_view text);

// Takes the next word off `text`, and the white space behind it. Stretches in quotes or brackets
// stay together; quotes are then dropped and %41 becomes A. Nothing, and `text` only skips white
// space, at the end of the text or when a quote or bracket is not closed.
std::optional<std::string> take_quote_word(std::string_view& text);

}  // namespace gpuharden
