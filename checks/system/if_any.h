// SPDX-License-Identifier: GPL-2.0-or-later
// For cells: NULL where there is no text.
#pragma once

#include <optional>
#include <string_view>

namespace gpuharden {

// As good as what it is a view of.
inline std::optional<std::string_view> if_any(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace gpuharden
