// SPDX-License-Identifier: GPL-2.0-or-later
// Comparing versions by the scheme they are written in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

enum class VersionScheme {
  kDpkg,    // [epoch:]upstream[-revision], as Debian policy orders them
  kDotted,  // digits and dots only: 535.309.01
  kSemver,  // 1.2.3[-pre.release][+build], an optional leading "v"
  kPep440,  // 1.2.3rc1.post2.dev3+local
};
std::optional<VersionScheme> parse_version_scheme(std::string_view word);

// Negative, 0 or positive as a is older than, equal to or newer than b. Nothing when one of them is
// not of the scheme: "unknown" and "(devel)" are neither old nor new.
std::optional<int> compare_versions(VersionScheme scheme, std::string_view a, std::string_view b);

// Whether a version belongs to a branch, the first numbers of its versions: "7.2" holds 7.2, 7.2.1 and
// 7.2rc1, not 7.20. The empty branch holds every version.
bool is_in_branch(std::string_view version, std::string_view branch);

// Without epoch and distribution revision: "1:535.183.01-0ubuntu0.24.04.1" gives "535.183.01".
std::string upstream_version(std::string_view dpkg_version);

}  // namespace gpuharden
