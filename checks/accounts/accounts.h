// SPDX-License-Identifier: GPL-2.0-or-later
// The local account files of the audited root, read once for all probes that name users or groups.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "checks/accounts/passwd.h"
#include "engine/host/host.h"

namespace gpuharden {

struct Accounts {
  std::vector<PasswdEntry> users;  // of /etc/passwd, in its order
  std::vector<GroupEntry> groups;  // of /etc/group, in its order
  std::vector<Error> user_errors;  // what of /etc/passwd could not be read or understood
  std::vector<Error> group_errors;
  std::unordered_map<std::uint32_t, std::string> user_names;  // the first name of each id
  std::unordered_map<std::uint32_t, std::string> group_names;
};

// For SharedFacts::get<Accounts>.
Accounts read_accounts(const Host& host);

// The name of an id in the audited root; nothing when it has none, an error when the file could
// not be read in full.
Result<std::optional<std::string>> user_name(const Accounts& accounts, std::uint32_t uid);
Result<std::optional<std::string>> group_name(const Accounts& accounts, std::uint32_t gid);

}  // namespace gpuharden
