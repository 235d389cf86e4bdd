// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/amd/rocm_version.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/base/version.h"

namespace gpuharden {

std::optional<std::string> parse_rocm_version(std::string_view text) {
  text = trim(text);
  // The build's number follows a dash; nothing else may follow.
  const auto release = text.substr(0, text.find('-'));
  const bool has_dot = release.find('.') != std::string_view::npos;
  if (!has_dot || !compare_versions(VersionScheme::kDotted, release, release)) return std::nullopt;
  const auto build = text.substr(std::min(text.size(), release.size() + 1));
  if (build.find_first_of(" \n\t") != std::string_view::npos) return std::nullopt;
  return std::string(release);
}

}  // namespace gpuharden
