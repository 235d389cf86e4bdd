// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/services/options.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// "--ho" is no abbreviation that anybody uses; a shorter one could mean many things.
constexpr std::size_t kShortestAbbreviation = 5;

bool same_name(std::string_view given, std::string_view known) {
  if (given.size() != known.size()) return false;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char a = given[i] == '_' && i > 1 ? '-' : given[i];
    const char b = known[i] == '_' && i > 1 ? '-' : known[i];
    if (a != b) return false;
  }
  return true;
}

bool matches(std::string_view given, std::string_view known, bool abbreviated) {
  if (same_name(given, known)) return true;
  return abbreviated && given.size() >= kShortestAbbreviation && given.size() < known.size() &&
         same_name(given, known.substr(0, given.size()));
}

std::optional<std::string_view> known_name(std::string_view given, const OptionNames& options) {
  for (const auto name : options.names) {
    if (matches(given, name, options.abbreviated)) return name;
  }
  return std::nullopt;
}

}  // namespace

std::optional<OptionValue> find_option(std::span<const std::string> arguments, const OptionNames& options) {
  std::optional<OptionValue> found;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--") break;
    if (!argument.starts_with("-")) continue;
    const auto equals = argument.find('=');
    const auto name = known_name(argument.substr(0, equals), options);
    if (!name) continue;
    if (equals != std::string_view::npos) {
      found = OptionValue{*name, argument.substr(equals + 1), true};
    } else if (i + 1 < arguments.size() && !(options.value_is_optional && arguments[i + 1].starts_with("-"))) {
      found = OptionValue{*name, arguments[i + 1], true};
    } else {
      found = OptionValue{*name, {}, false};
    }
  }
  return found;
}

bool has_flag(std::span<const std::string> arguments, std::string_view option) {
  const std::string negation = concat({"--no-", option.substr(std::min<std::size_t>(option.size(), 2))});
  bool is_set = false;
  for (const std::string_view argument : arguments) {
    if (argument == "--") break;
    const auto equals = argument.find('=');
    const auto name = argument.substr(0, equals);
    if (same_name(name, option)) is_set = equals == std::string_view::npos || is_yes(argument.substr(equals + 1));
    if (same_name(name, negation)) is_set = false;
  }
  return is_set;
}

bool is_yes(std::string_view value) {
  static constexpr std::array<std::string_view, 5> kWords = {"1", "t", "true", "yes", "on"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return equals_ignore_case(trim(value), word); });
}

}  // namespace gpuharden
