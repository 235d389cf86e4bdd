// SPDX-License-Identifier: GPL-2.0-or-later
// The bytes of a POSIX access control list (the extended attribute system.posix_acl_access).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gpuharden {

struct NamedAclEntry {
  bool is_group = false;
  std::uint32_t id = 0;
  unsigned permissions = 0;  // 4 read, 2 write, 1 execute; after the mask
};

// The entries that name a user or a group; nothing when the bytes are no such list.
std::optional<std::vector<NamedAclEntry>> parse_posix_acl(std::string_view bytes);

}  // namespace gpuharden
