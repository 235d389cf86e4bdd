// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/host.h"

#include <array>

namespace gpuharden {

std::string_view to_string(HostKind kind) {
  static constexpr std::array<std::string_view, 3> kWords = {"live", "image", "capture"};
  return kWords.at(static_cast<std::size_t>(kind));
}

}  // namespace gpuharden
