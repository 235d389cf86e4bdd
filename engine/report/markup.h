// SPDX-License-Identifier: GPL-2.0-or-later
// Text inside XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace gpuharden {

// Safe as content and inside quoted attributes of XML 1.0 and HTML: & < > " ' are entities; what XML 1.0 may not
// hold in any form (control bytes, U+FFFE, U+FFFF) becomes \xNN as on a terminal, invalid UTF-8 and characters that
// turn the direction of text around too. Line breaks and tabs become spaces in attributes by XML's rules, so they
// are escaped as well.
std::string escape_markup(std::string_view text);

}  // namespace gpuharden
