// SPDX-License-Identifier: GPL-2.0-or-later
// Which MITRE ATT&CK and ATLAS the rules were checked against. A test compares with rules/reference.
#pragma once

#include <string_view>

namespace gpuharden {

constexpr std::string_view kAttackVersion = "19";
constexpr std::string_view kAtlasVersion = "5.6.0";

}  // namespace gpuharden
