// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/upgrade_origin.h"

#include <array>
#include <utility>
#include <vector>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

struct Field {
  std::string_view long_name, short_name;
  std::string UpgradeOrigin::*member;
};
constexpr std::array<Field, 6> kFields = {{{"origin", "o", &UpgradeOrigin::origin},
                                           {"label", "l", &UpgradeOrigin::label},
                                           {"archive", "a", &UpgradeOrigin::archive},
                                           {"codename", "n", &UpgradeOrigin::codename},
                                           {"component", "c", &UpgradeOrigin::component},
                                           {"site", "site", &UpgradeOrigin::site}}};

// Split at `separator`, except behind a backslash, which goes away.
std::vector<std::string> split_escaped(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == separator) {
      parts.back() += text[++i];
    } else if (text[i] == separator) {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  for (auto at = text.find(from); at != std::string_view::npos; at = text.find(from)) {
    out.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
  }
  return out.append(text);
}

}  // namespace

UpgradeOrigin parse_allowed_origin(std::string_view text) {
  UpgradeOrigin out;
  const auto parts = split_escaped(text, ':');
  // Without a colon the older form "origin archive" is meant.
  const auto words = split_words(text);
  if (parts.size() >= 2) {
    out.origin = parts[0];
    out.archive = parts[1];
  } else if (words.size() == 2) {
    out.origin = words[0];
    out.archive = words[1];
  } else {
    out.unknown = text;
  }
  return out;
}

UpgradeOrigin parse_origins_pattern(std::string_view text) {
  UpgradeOrigin out;
  for (const auto& part : split_escaped(text, ',')) {
    const std::string_view token = trim(part);
    if (token.empty() || token == "*") continue;
    const auto equals = token.find('=');
    const auto name = trim(token.substr(0, equals));
    const auto* found = static_cast<const Field*>(nullptr);
    for (const auto& field : kFields) {
      if (name == field.long_name || name == field.short_name || (name == "suite" && field.short_name == "a"))
        found = &field;
    }
    if (found == nullptr || equals == std::string_view::npos) {
      out.unknown = token;
      continue;
    }
    out.*(found->member) = trim(token.substr(equals + 1));
  }
  return out;
}

std::string expand_distro(std::string_view text, std::string_view id, std::string_view codename) {
  return replace_all(replace_all(text, "${distro_id}", id), "${distro_codename}", codename);
}

}  // namespace gpuharden
