// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/unit_name.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxNameLength = 255;
constexpr std::array<std::string_view, 11> kTypes = {"service", "socket", "target", "device", "mount", "automount",
                                                     "swap",    "timer",  "path",   "slice",  "scope"};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view(":-_.\\@").find(c) != std::string_view::npos;
}

// "foo-bar" of "foo\x2dbar", "foo/bar" of "foo-bar".
std::string unescape_name(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = name.substr(i).starts_with("\\x") && i + 4 <= name.size()
                          ? parse_unsigned(name.substr(i + 2, 2), 16)
                          : std::nullopt;
    if (byte) {
      out += static_cast<char>(*byte);
      i += 3;
    } else {
      out += name[i] == '-' ? '/' : name[i];
    }
  }
  return out;
}

std::string_view after_last_dash(std::string_view prefix) {
  const auto dash = prefix.rfind('-');
  return dash == std::string_view::npos ? prefix : prefix.substr(dash + 1);
}

// Nothing for a specifier whose value this program does not know.
std::optional<std::string> specifier_value(char letter, std::string_view unit) {
  const auto name = parse_unit_name(unit).value_or(UnitName());
  switch (letter) {
    case 'n': return std::string(unit);
    case 'N': return std::string(unit.substr(0, unit.rfind('.')));
    case 'p': return std::string(name.prefix);
    case 'P': return unescape_name(name.prefix);
    case 'i': return std::string(name.instance);
    case 'I': return unescape_name(name.instance);
    case 'j': return std::string(after_last_dash(name.prefix));
    case 'J': return unescape_name(after_last_dash(name.prefix));
    case 't': return "/run";
    case 'S': return "/var/lib";
    case 'C': return "/var/cache";
    case 'L': return "/var/log";
    case 'E': return "/etc";
    case 'T': return "/tmp";
    case 'V': return "/var/tmp";
    case 'h': return "/root";
    case 'u': return "root";
    case 'U': return "0";
    case '%': return "%";
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<UnitName> parse_unit_name(std::string_view name) {
  const auto dot = name.rfind('.');
  if (name.size() > kMaxNameLength || dot == std::string_view::npos || dot == 0) return std::nullopt;
  if (!std::all_of(name.begin(), name.end(), is_name_character)) return std::nullopt;
  UnitName out;
  out.type = name.substr(dot + 1);
  if (std::find(kTypes.begin(), kTypes.end(), out.type) == kTypes.end()) return std::nullopt;
  const auto at = name.find('@');
  out.has_at = at < dot;
  out.prefix = name.substr(0, out.has_at ? at : dot);
  if (out.has_at) out.instance = name.substr(at + 1, dot - at - 1);
  return out.prefix.empty() ? std::nullopt : std::optional(out);
}

std::string template_of(const UnitName& name) { return concat({name.prefix, "@.", name.type}); }

std::vector<std::string> drop_in_names(std::string_view unit) {
  const auto name = parse_unit_name(unit);
  if (!name) return {};
  std::vector<std::string> names = {std::string(unit)};
  if (name->is_instance()) names.push_back(template_of(*name));
  auto prefix = name->prefix;
  while (!prefix.empty()) {
    // A trailing dash is part of the name itself, not the end of a prefix.
    const auto dash = prefix.substr(0, prefix.size() - 1).rfind('-');
    if (dash == std::string_view::npos || dash == 0) break;
    prefix = prefix.substr(0, dash + 1);
    names.push_back(concat({prefix, ".", name->type}));
  }
  return names;
}

std::string expand_specifiers(std::string_view value, std::string_view unit) {
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto known = value[i] == '%' && i + 1 < value.size() ? specifier_value(value[i + 1], unit) : std::nullopt;
    if (known) {
      out += *known;
      ++i;
    } else {
      out += value[i];
    }
  }
  return out;
}

}  // namespace gpuharden
