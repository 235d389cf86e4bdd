// SPDX-License-Identifier: GPL-2.0-or-later
// SQLite's virtual-table interface over a probe.
#pragma once

#include <string>

#include "engine/scan/database.h"

struct sqlite3;

namespace gpuharden {

// Makes every probe a table of `handle`; `database` loads rows when they are first scanned.
void register_tables(sqlite3* handle, Database& database);

// Makes version_lt, ip_in, … functions of `handle`.
void register_functions(sqlite3* handle);
// Whether rules may call this SQL function.
bool is_allowed_function(std::string_view name);

}  // namespace gpuharden
