// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/python/torch_version.h"

#include <algorithm>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// The text between quotes; nothing for None and for what is no plain text.
std::optional<std::string> quoted_text(std::string_view value) {
  if (value.size() < 2 || (value[0] != '\'' && value[0] != '"')) return std::nullopt;
  const auto end = value.find(value[0], 1);
  if (end == std::string_view::npos || end == 1) return std::nullopt;
  return std::string(value.substr(1, end - 1));
}

}  // namespace

TorchVersion parse_torch_version(std::string_view text) {
  TorchVersion found;
  for (const auto line : split(text, '\n')) {
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const auto left = line.substr(0, equals);
    const auto name = trim(left.substr(0, std::min(left.find(':'), left.size())));
    const auto value = quoted_text(trim(line.substr(equals + 1)));
    if (name == "__version__") found.version = value;
    if (name == "git_version") found.git_version = value;
    if (name == "cuda") found.cuda = value;
    if (name == "hip") found.hip = value;
    found.names_cuda = found.names_cuda || name == "cuda";
    found.names_hip = found.names_hip || name == "hip";
  }
  return found;
}

}  // namespace gpuharden
