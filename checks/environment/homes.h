// SPDX-License-Identifier: GPL-2.0-or-later
// The home folders whose start-up files count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checks/accounts/passwd.h"
#include "engine/host/files.h"

namespace gpuharden {

struct Home {
  std::string user;
  std::uint32_t uid = 0;
  std::string path;
};

struct Homes {
  std::vector<Home> homes;    // that exist, each folder once
  std::vector<Error> errors;  // passwd, folders that could not be looked at, users known elsewhere
};

// Of uid 0, of uids from UID_MIN of login.defs on, and of service users with a home outside the
// system's own folders. Only /etc/passwd is read: a directory service is never asked for all of its
// users; where nsswitch.conf names one, that is an error.
Homes find_homes(const Files& files);

// Whether an account's start-up files could ever be read (the rule above).
bool has_own_home(const PasswdEntry& entry, std::uint32_t uid_min);

}  // namespace gpuharden
