// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/apt_preferences.h"

#include <algorithm>
#include <utility>

#include "checks/apt/deb822.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

// "*", "**", "/./", "/.*/", "src:*": all that no package escapes.
bool matches_every_name(std::string_view name) {
  if (name.starts_with("src:")) name.remove_prefix(4);
  if (name.size() >= 2 && name.starts_with('/') && name.ends_with('/'))
    return name.substr(1, name.size() - 2).find_first_not_of(".*^$+") == std::string_view::npos;
  name = name.substr(0, name.find(':'));  // "*:amd64"
  return !name.empty() && name.find_first_not_of('*') == std::string_view::npos;
}

std::string unquoted(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return std::string(text);
}

// "o=repo.radeon.com, a=noble"; a word without '=' is a version or, if it is none, an archive.
void take_release(std::string_view value, AptPin& pin) {
  for (const auto raw : split(value, ',')) {
    const auto part = trim(raw);
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) {
      if (!part.empty() && (part[0] < '0' || part[0] > '9')) pin.archive = part;
      continue;
    }
    const auto name = trim(part.substr(0, equals));
    const auto text = unquoted(part.substr(equals + 1));
    if (name == "o") pin.origin = text;
    if (name == "l") pin.label = text;
    if (name == "a") pin.archive = text;
    if (name == "n") pin.codename = text;
  }
}

void take_pin(std::string_view value, AptPin& pin) {
  pin.pin = value;
  const auto blank = std::min(value.find_first_of(" \t\n"), value.size());
  const auto kind = to_lower(value.substr(0, blank));
  const auto rest = trim(value.substr(blank));
  if (kind != "version" && kind != "release" && kind != "origin") {
    pin.fault = "its Pin is of no kind that apt knows";
    return;
  }
  pin.kind = kind;
  if (kind == "release") take_release(rest, pin);
  if (kind == "origin") pin.site = unquoted(rest);
}

// The number as apt reads it: blanks before, anything after.
std::optional<std::int64_t> priority_of(std::string_view text) {
  text = trim(text);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const auto digits = text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
  const auto number = parse_unsigned(digits);
  if (!number || *number > 1'000'000'000) return std::nullopt;
  return is_negative ? -static_cast<std::int64_t>(*number) : static_cast<std::int64_t>(*number);
}

}  // namespace

std::vector<AptPin> parse_apt_preferences(std::string_view text) {
  std::vector<AptPin> pins;
  for (const auto& stanza : parse_deb822(text)) {
    const auto* package = find_field(stanza, "Package");
    const auto* value = find_field(stanza, "Pin");
    const auto* priority = find_field(stanza, "Pin-Priority");
    if (package == nullptr && value == nullptr && priority == nullptr) continue;
    AptPin pin;
    pin.line = stanza.line;
    if (package != nullptr) {
      for (const auto word : split_words(package->value)) pin.packages.emplace_back(word);
    }
    pin.covers_all = std::any_of(pin.packages.begin(), pin.packages.end(), matches_every_name);
    if (value != nullptr) take_pin(value->value, pin);
    if (priority != nullptr) pin.priority = priority_of(priority->value);
    if (pin.priority == 0) pin.priority.reset();
    if (pin.packages.empty()) pin.fault = "it has no Package";
    if (pin.fault.empty() && value == nullptr) pin.fault = "it has no Pin";
    if (pin.fault.empty() && !pin.priority) pin.fault = "it has no Pin-Priority, or 0";
    pins.push_back(std::move(pin));
  }
  return pins;
}

bool is_apt_preferences_name(std::string_view name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-:.";
  if (name.empty() || name[0] == '.' || name.find_first_not_of(kLetters) != std::string_view::npos) return false;
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos || name.substr(dot) == ".pref";
}

}  // namespace gpuharden
