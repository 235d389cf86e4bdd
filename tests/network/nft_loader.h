// SPDX-License-Identifier: GPL-2.0-or-later
// Loads rules of a packet filter, written as nft reads them, into the network namespace of this process.
#pragma once

#include <string>

namespace gpuharden::test {

// Whether libnftables was there when the tests were built.
bool can_load_rules();
// "" or what nft says to it. All rules that were there before are gone.
std::string load_rules(const std::string& text);

}  // namespace gpuharden::test
