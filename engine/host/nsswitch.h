// SPDX-License-Identifier: GPL-2.0-or-later
// The nsswitch.conf(5) format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

// The sources of one database in order, without [actions]: "group: files [SUCCESS=merge] sss" gives
// files, sss. Empty when the file does not name the database (glibc then reads the files).
std::vector<std::string> parse_nsswitch(std::string_view text, std::string_view database);

// Whether a source's users and groups stand in places that this program does not read: sss, ldap,
// winbind, nis, extrausers, …
bool is_directory_source(std::string_view source);

}  // namespace gpuharden
