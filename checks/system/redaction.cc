// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/system/redaction.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Whole words of a name: "monkey" is no key.
constexpr std::array<std::string_view, 5> kWords = {"auth", "key", "pass", "cookie", "tokens"};
// What a word may end in: people write DBPASSWORD and AuthToken.
constexpr std::array<std::string_view, 15> kEndings = {
    "token",  "password",  "passwd",    "passphrase", "secret",    "secrets", "credential", "credentials",
    "apikey", "accesskey", "secretkey", "privatekey", "masterkey", "authkey", "passwords"};
// What is a place of a credential, or no credential at all.
constexpr std::array<std::string_view, 17> kHarmlessLastWords = {
    "file",    "path",    "dir", "directory", "mode",   "url",   "type",  "id",  "endpoint",
    "enabled", "command", "ttl", "sock",      "socket", "limit", "count", "size"};
// How a model counts tokens is no secret.
constexpr std::array<std::string_view, 14> kCountingWords = {"max",     "min",    "num",   "n",      "new",
                                                             "batched", "prompt", "input", "output", "completion",
                                                             "context", "total",  "per",   "special"};
constexpr std::array<std::string_view, 7> kValuePrefixes = {"sk-", "hf_", "ghp_", "nvapi-", "glpat-", "xoxb-", "AKIA"};

bool contains(const auto& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

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

bool is_credential_word(std::string_view word) {
  return contains(kWords, word) ||
         std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view end) { return word.ends_with(end); });
}

bool is_known_token(std::string_view value) {
  return value.size() >= 16 && value.find_first_of(" \t/") == std::string_view::npos &&
         std::any_of(kValuePrefixes.begin(), kValuePrefixes.end(),
                     [&](std::string_view prefix) { return value.starts_with(prefix); });
}

// "scheme://user:password@host/…" without the password, for each URL of the text.
std::string without_url_passwords(std::string_view text) {
  std::string out;
  for (auto scheme = text.find("://"); scheme != std::string_view::npos; scheme = text.find("://")) {
    const auto start = scheme + 3;
    const auto end = std::min(text.find_first_of("/ \t", start), text.size());
    const auto at = text.substr(start, end - start).rfind('@');
    const auto colon = at == std::string_view::npos ? at : text.substr(start, at).find(':');
    out.append(text.substr(0, start));
    if (colon != std::string_view::npos)
      out.append(text.substr(start, colon + 1)).append(redacted(text.substr(start + colon + 1, at - colon - 1)));
    text.remove_prefix(colon != std::string_view::npos ? start + at : start);
  }
  return out.append(text);
}

std::string redact_plain(std::string_view value) {
  return is_known_token(value) ? redacted(value) : without_url_passwords(value);
}

// "-x" and "--xyz"; a credential may begin with '-' too.
bool is_option(std::string_view word) { return word.starts_with("--") || (word.starts_with('-') && word.size() == 2); }

}  // namespace

bool names_credential(std::string_view name) {
  const auto words = words_of(name);
  if (words.size() > 1 && contains(kHarmlessLastWords, words.back())) return false;
  const bool counts =
      std::any_of(words.begin(), words.end(), [](const auto& word) { return contains(kCountingWords, word); });
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return is_credential_word(word) && !(counts && word == "tokens");
  });
}

bool holds_credential(std::string_view value) { return redact_plain(value) != value; }

std::string redacted(std::string_view value) { return concat({"<redacted ", std::to_string(value.size()), " bytes>"}); }

std::string redact_value(std::string_view name, std::string_view value) {
  return names_credential(name) ? redacted(value) : redact_plain(value);
}

std::vector<std::string> redact_words(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  bool next_is_secret = false;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    if (next_is_secret && !is_option(word)) {
      out.push_back(redacted(word));
    } else if (equals == std::string::npos) {
      out.push_back(redact_plain(word));
    } else {
      const auto name = std::string_view(word).substr(0, equals);
      out.push_back(concat({name, "=", redact_value(name, std::string_view(word).substr(equals + 1))}));
    }
    next_is_secret = word.starts_with('-') && equals == std::string::npos && names_credential(word);
  }
  return out;
}

std::string join_words(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) {
    const auto* quote = word.find_first_of(" \t") != std::string::npos ? "\"" : "";
    out.append(out.empty() ? "" : " ").append(quote).append(word).append(quote);
  }
  return out;
}

std::string redact_text(std::string_view text, const std::vector<std::string>& words) {
  const auto safe = redact_words(words);
  return safe == words ? std::string(text) : join_words(safe);
}

}  // namespace gpuharden
