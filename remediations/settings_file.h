// SPDX-License-Identifier: GPL-2.0-or-later
// Files of our own that hold one setting a line.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/base/text.h"

namespace gpuharden {

// The text with this line in place of the one that begins with `start`, or at its end. A new text says first
// whose it is.
Result<std::string> set_line(std::string_view text, std::string_view start, std::string_view line);

}  // namespace gpuharden
