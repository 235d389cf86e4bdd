// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/amd/kfd_topology.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

}  // namespace

std::optional<std::uint64_t> KfdProperties::find(std::string_view name) const {
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

KfdProperties parse_kfd_properties(std::string_view text) {
  KfdProperties properties;
  for (const auto line : split(text, '\n')) {
    const auto words = split_words(line);
    if (words.empty()) continue;
    const auto value = words.size() == 2 ? parse_unsigned(words[1]) : std::nullopt;
    if (value) {
      properties.values.insert_or_assign(std::string(words[0]), *value);
    } else {
      properties.malformed = true;
    }
  }
  return properties;
}

std::optional<std::string> gfx_name(std::uint64_t gfx_target_version) {
  const auto major = gfx_target_version / 10000;
  const auto minor = gfx_target_version / 100 % 100;
  const auto step = gfx_target_version % 100;
  // Minor and step are one hexadecimal digit each in the name.
  if (major == 0 || major > 63 || minor > 15 || step > 15) return std::nullopt;
  return concat({"gfx", std::to_string(major), kHexDigits.substr(minor, 1), kHexDigits.substr(step, 1)});
}

}  // namespace gpuharden
