// SPDX-License-Identifier: GPL-2.0-or-later
// User names of /etc/passwd as numbers, for the owner checks of this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/scan/probe.h"

namespace gpuharden {

struct AccountIds {
  std::unordered_map<std::string, std::uint32_t> by_name;

  // Of a User= value, which may be a number; nothing when the name is not in /etc/passwd. Then
  // nobody but root is trusted, which is the safe side.
  std::optional<std::uint32_t> find(std::string_view user) const;
};

const AccountIds& account_ids(const Host& host, SharedFacts& shared);

}  // namespace gpuharden
