// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/source_options.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kInlineStart = "-----BEGIN PGP PUBLIC KEY BLOCK-----";

// deb822 field, in lower case, and the option of the one-line format that means the same.
constexpr std::array<std::pair<std::string_view, std::string_view>, 23> kFields = {
    {{"architectures", "arch"},
     {"architectures-add", "arch+"},
     {"architectures-remove", "arch-"},
     {"languages", "lang"},
     {"languages-add", "lang+"},
     {"languages-remove", "lang-"},
     {"targets", "target"},
     {"targets-add", "target+"},
     {"targets-remove", "target-"},
     {"trusted", "trusted"},
     {"signed-by", "signed-by"},
     {"pdiffs", "pdiffs"},
     {"by-hash", "by-hash"},
     {"allow-insecure", "allow-insecure"},
     {"allow-weak", "allow-weak"},
     {"allow-downgrade-to-insecure", "allow-downgrade-to-insecure"},
     {"check-valid-until", "check-valid-until"},
     {"valid-until-min", "valid-until-min"},
     {"valid-until-max", "valid-until-max"},
     {"check-date", "check-date"},
     {"date-max-future", "date-max-future"},
     {"inrelease-path", "inrelease-path"},
     {"snapshot", "snapshot"}}};

const std::vector<std::string>& security_options() {
  static const std::vector<std::string> names = {
      "trusted",           "signed-by", "allow-insecure", "allow-weak", "allow-downgrade-to-insecure",
      "check-valid-until", "check-date"};
  return names;
}

bool is_boolean_option(std::string_view name) { return name != "signed-by"; }

// The security option that a name was probably meant to be; empty when none.
std::string meant_option(std::string_view name) {
  std::string lower = to_lower(name);
  std::replace(lower.begin(), lower.end(), '_', '-');
  return nearest(lower, security_options()).value_or("");
}

std::string bad_value(std::string_view option, std::string_view written, std::string_view value) {
  const auto& names = security_options();
  if (std::find(names.begin(), names.end(), option) == names.end()) return "";
  if (!is_boolean_option(option) || apt_boolean(value)) return "";
  return concat({written, " has the value ", value.substr(0, 40), ", which apt takes for \"no\""});
}

bool is_fingerprint(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (auto& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

std::string normalise_inline(std::string_view value) {
  std::string out;
  for (const auto raw : split(value, '\n')) {
    const auto line = trim(raw);
    out.append(line == "." ? std::string_view() : line).append("\n");
  }
  return out;
}

void take_part(std::string_view part, SignedBy& out) {
  const bool exact_key = part.back() == '!';
  if (part[0] == '/') {
    out.keyrings.emplace_back(part);
  } else if (is_fingerprint(exact_key ? part.substr(0, part.size() - 1) : part)) {
    out.fingerprints.push_back(upper(exact_key ? part.substr(0, part.size() - 1) : part));
  } else if (out.invalid.empty()) {
    out.invalid = part;
  }
  if (!out.normalised.empty()) out.normalised += ',';
  out.normalised += part[0] == '/' ? std::string(part) : upper(part);
}

}  // namespace

std::optional<bool> apt_boolean(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  const auto digits = !text.empty() && text[0] == '+' ? text.substr(1) : text;
  const auto number =
      digits.empty() || (digits.size() < text.size() && digits[0] == '-') ? std::nullopt : parse_c_integer(digits);
  if (number && (*number == 0 || *number == 1)) return *number == 1;
  for (const auto* word : {"yes", "true", "with", "on", "enable"}) {
    if (equals_ignore_case(text, word)) return true;
  }
  for (const auto* word : {"no", "false", "without", "off", "disable"}) {
    if (equals_ignore_case(text, word)) return false;
  }
  return std::nullopt;
}

std::optional<bool> source_switch(const SourceOptions& options, std::string_view name) {
  const auto found = options.find(name);
  if (found == options.end()) return std::nullopt;
  return apt_boolean(found->second).value_or(false);
}

std::string_view to_string(SignedByKind kind) {
  constexpr std::string_view kWords[] = {"none", "keyring", "fingerprint", "inline"};
  return kWords[static_cast<std::size_t>(kind)];
}

SignedBy parse_signed_by(std::string_view value) {
  SignedBy out;
  if (value.find(kInlineStart) != std::string_view::npos) {
    out.kind = SignedByKind::kInline;
    out.normalised = normalise_inline(value);
    return out;
  }
  std::string spaced(value);
  std::replace(spaced.begin(), spaced.end(), ',', ' ');
  for (const auto part : split_words(spaced)) take_part(part, out);
  if (!out.keyrings.empty()) out.kind = SignedByKind::kKeyring;
  if (out.keyrings.empty() && !out.fingerprints.empty()) out.kind = SignedByKind::kFingerprint;
  return out;
}

std::string misspelled_line_option(std::string_view name, std::string_view value) {
  const std::string meant = meant_option(name);
  if (meant.empty() || meant == name) return bad_value(name, name, value);
  // arch+, pdiffs and the like are names of their own.
  for (const auto& [field, option] : kFields) {
    if (option == name) return "";
  }
  return concat({name.substr(0, 40), " is no option to apt: ", meant, " was probably meant"});
}

std::string misspelled_field(std::string_view name, std::string_view value) {
  const auto option = option_of_field(name);
  if (!option.empty()) return bad_value(option, name, value);
  const std::string meant = meant_option(name);
  if (meant.empty()) return "";
  return concat({name.substr(0, 40), " is no field to apt: ", meant, " was probably meant"});
}

std::string_view option_of_field(std::string_view field) {
  for (const auto& [name, option] : kFields) {
    if (equals_ignore_case(name, field)) return option;
  }
  return {};
}

}  // namespace gpuharden
