// SPDX-License-Identifier: GPL-2.0-or-later
// The one table of the packet filter that is ours, in the network namespace of this process. By libnftables, each
// call in a child with a deadline, without environment and include folders; the library is loaded when it is needed.
//
// A table's text is one block "table inet gpuharden { … }" as nft reads it. Errors: kMalformed for a text that
// speaks of more than that, kLibrary with nft's own words, kUnsupported without the library or where the kernel
// lacks what the text asks for, kPermission, kTimeout.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace gpuharden {

inline constexpr std::string_view kGuardTableFamily = "inet";
inline constexpr std::string_view kGuardTableName = "gpuharden";

// As the kernel holds it, without counters and handles; empty where there is none.
Result<std::string> list_guard_table();
// Replaces it in one batch, or removes it when the text is empty. No other table is named in that batch.
Status replace_guard_table(std::string_view text);
// The text as list_guard_table() will show it: loaded into a network namespace of its own, listed and thrown away. So
// the kernel was shown to have everything that it asks for; it may load modules for that.
Result<std::string> prove_guard_table(const std::string& text);

// A digest of all other tables: their chains, rules, sets and elements in their order, without handles, counters
// and the elements of sets that packets or timers change.
Result<std::string> digest_of_other_tables();

// Why the text is more, or less, than one block for our table.
Status is_guard_table(std::string_view text);
// What makes the kernel hold the text alone: for a file that nft loads as well.
std::string guard_batch(std::string_view text);

}  // namespace gpuharden
