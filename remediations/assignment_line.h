// SPDX-License-Identifier: GPL-2.0-or-later
// Taking one assignment out of a line of a shell's, pam_env's or systemd's file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace gpuharden {

// The line without the assignment of `name`: nothing, where it was all that the line does; of a unit's
// "Environment=A=1 B=2" the rest. kUnsupported where the line does more, or goes on in the next one.
Result<std::string> without_assignment(std::string_view line, std::string_view name);

// The number, from 1, of the line with this text that is nearest to `wanted`, not below it: lines above it may
// have gone since its number was told.
Result<std::size_t> find_line(std::string_view text, std::string_view line, std::size_t wanted);

}  // namespace gpuharden
