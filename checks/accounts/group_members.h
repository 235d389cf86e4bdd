// SPDX-License-Identifier: GPL-2.0-or-later
// Who is in a group, by every way that the kernel and the name service know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/accounts/accounts.h"

namespace gpuharden {

struct GroupMember {
  std::string group;
  std::uint32_t gid = 0;
  std::string user;
  std::string_view how;  // listed, primary, same-gid
  std::string via;       // the other group's name for same-gid
  std::string_view file;
  std::uint32_t line = 0;
};

// Members of each group name by the local files: the users on its lines, those whose primary gid is
// one of its gids, and the members of other names with such a gid. Each user once a name, by the
// first of these ways. At most `limit` rows; `is_cut` says that there are more.
std::vector<GroupMember> local_group_members(const Accounts& accounts, std::size_t limit, bool& is_cut);

}  // namespace gpuharden
