// SPDX-License-Identifier: GPL-2.0-or-later
// The home folders whose start-up files count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/accounts/passwd.h"
#include "engine/host/files.h"
#include "engine/scan/probe.h"

namespace gpuharden {

struct Home {
  std::string user;
  std::uint32_t uid = 0;
  std::string path;
  // What lies directly in it, sorted; nothing where that could not be listed or is too much.
  std::optional<std::vector<std::string>> names;
};

struct Homes {
  std::vector<Home> homes;    // that exist, each folder once
  std::vector<Error> errors;  // passwd, folders that could not be looked at, users known elsewhere
};

// Of uid 0, of uids from UID_MIN of login.defs on, and of service users with a home outside the
// system's own folders. Only /etc/passwd is read: a directory service is never asked for all of its
// users; where nsswitch.conf names one, that is an error.
Homes find_homes(const Files& files);

// The same, found once for all tables that ask.
const Homes& homes_of(const Host& host, SharedFacts& shared);

// Whether looking at this path below the home can find something: one listing spares dozens of looks at
// start-up files that hardly anyone has.
bool may_hold(const Home& home, std::string_view relative_path);

// Whether an account's start-up files could ever be read (the rule above).
bool has_own_home(const PasswdEntry& entry, std::uint32_t uid_min);

}  // namespace gpuharden
