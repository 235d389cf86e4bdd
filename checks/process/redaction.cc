// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/process/redaction.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kRedacted = "<redacted>";

// Whole words of a name: "monkey" is no key, "tokenizer" no token.
constexpr std::array<std::string_view, 14> kWords = {"token",  "tokens",  "password",   "passwd",      "passphrase",
                                                     "secret", "secrets", "credential", "credentials", "apikey",
                                                     "auth",   "key",     "pass",       "cookie"};
// What is a place of a credential, or no credential at all.
constexpr std::array<std::string_view, 7> kHarmlessLastWords = {"file", "path", "dir", "mode", "url", "type", "id"};
constexpr std::array<std::string_view, 7> kValuePrefixes = {"sk-", "hf_", "ghp_", "nvapi-", "glpat-", "xoxb-", "AKIA"};

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : to_lower(name)) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_letter) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty() && words.size() > 1) words.pop_back();
  return words;
}

bool looks_like_credential(std::string_view value) {
  return value.size() >= 16 && std::any_of(kValuePrefixes.begin(), kValuePrefixes.end(),
                                           [&](std::string_view prefix) { return value.starts_with(prefix); });
}

// "scheme://user:password@host/…" without the password.
std::string without_url_password(std::string_view text) {
  const auto scheme = text.find("://");
  if (scheme == std::string_view::npos) return std::string(text);
  const auto start = scheme + 3;
  const auto end = std::min(text.find_first_of("/?#", start), text.size());
  const auto at = text.substr(start, end - start).rfind('@');
  if (at == std::string_view::npos) return std::string(text);
  const auto colon = text.substr(start, at).find(':');
  if (colon == std::string_view::npos) return std::string(text);
  return concat({text.substr(0, start + colon + 1), kRedacted, text.substr(start + at)});
}

std::string redact_text(std::string_view value) {
  return looks_like_credential(value) ? std::string(kRedacted) : without_url_password(value);
}

}  // namespace

bool names_credential(std::string_view name) {
  const auto words = words_of(name);
  const auto is_in = [](const auto& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  if (words.size() > 1 && is_in(kHarmlessLastWords, words.back())) return false;
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return is_in(kWords, word); });
}

std::vector<std::string> redact_arguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> redacted;
  bool value_is_secret = false;
  for (const auto& argument : arguments) {
    const bool is_option = argument.starts_with("-");
    const auto equals = argument.find('=');
    const auto name = std::string_view(argument).substr(0, equals);
    const bool is_secret = (is_option || equals != std::string::npos) && names_credential(name);
    if (value_is_secret && !is_option) {
      redacted.emplace_back(kRedacted);
    } else if (is_secret && equals != std::string::npos) {
      redacted.push_back(concat({name, "=", kRedacted}));
    } else {
      redacted.push_back(redact_text(argument));
    }
    value_is_secret = is_secret && equals == std::string::npos;
  }
  return redacted;
}

std::string redact_value(std::string_view name, std::string_view value) {
  return names_credential(name) ? std::string(kRedacted) : redact_text(value);
}

}  // namespace gpuharden
