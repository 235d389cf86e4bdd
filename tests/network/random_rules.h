// SPDX-License-Identifier: GPL-2.0-or-later
// Rules of a packet filter that nobody would write, in nft's language, the same for each seed.
#pragma once

#include <cstdint>
#include <string>

namespace gpuharden::test {

std::string random_rules(std::uint32_t seed);

}  // namespace gpuharden::test
