// SPDX-License-Identifier: GPL-2.0-or-later
// From where unattended-upgrades takes packages: its Allowed-Origins and Origins-Pattern.
#pragma once

#include <string>
#include <string_view>

namespace gpuharden {

struct UpgradeOrigin {
  // Globs; "*" where the pattern does not ask.
  std::string origin = "*", label = "*", archive = "*", codename = "*", component = "*", site = "*";
  std::string unknown;  // a part that unattended-upgrades does not know: it stops with an error
};

// "Debian:bookworm-security" of Allowed-Origins; a '\' before ':' takes its meaning away.
UpgradeOrigin parse_allowed_origin(std::string_view text);
// "origin=Debian,codename=bookworm,label=Debian-Security" of Origins-Pattern; "\," is a comma.
UpgradeOrigin parse_origins_pattern(std::string_view text);

// ${distro_id} and ${distro_codename} with their values.
std::string expand_distro(std::string_view text, std::string_view id, std::string_view codename);

}  // namespace gpuharden
