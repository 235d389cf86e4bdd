// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/model/floor.h"

#include <array>

namespace gpuharden {

std::string_view to_string(FloorStatus status) {
  static constexpr std::array<std::string_view, 4> kWords = {"maintained", "superseded", "ended", "preview"};
  return kWords.at(static_cast<std::size_t>(status));
}

}  // namespace gpuharden
