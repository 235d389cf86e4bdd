// SPDX-License-Identifier: GPL-2.0-or-later
// Adding Signed-By to an entry of sources.list(5), in both formats. Entries are found by their text.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace gpuharden {

// kStale when the entry does not stand there exactly once; the text as it is where an earlier call has bound it.
Result<std::string> bind_line(std::string_view text, std::string_view entry, std::string_view keyring);
Result<std::string> bind_stanza(std::string_view text, std::string_view entry, std::string_view keyring);

}  // namespace gpuharden
