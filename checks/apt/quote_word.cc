// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/quote_word.h"

#include <utility>

namespace gpuharden {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Quotes go, %41 becomes A.
std::string unquote(std::string_view word) {
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool coded =
        word[i] == '%' && i + 2 < word.size() && hex_digit(word[i + 1]) >= 0 && hex_digit(word[i + 2]) >= 0;
    if (coded) {
      out += static_cast<char>(hex_digit(word[i + 1]) * 16 + hex_digit(word[i + 2]));
      i += 2;
    } else if (word[i] != '"') {
      out += word[i];
    }
  }
  return out;
}

}  // namespace

std::string_view skip_space(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_space(text[at])) ++at;
  return text.substr(at);
}

std::optional<std::string> take_quote_word(std::string_view& text) {
  text = skip_space(text);
  if (text.empty()) return std::nullopt;
  std::size_t end = 0;
  for (; end < text.size() && !is_space(text[end]); ++end) {
    for (const auto& [open, close] : {std::pair('"', '"'), std::pair('[', ']')}) {
      if (text[end] != open) continue;
      end = text.find(close, end + 1);
      if (end == std::string_view::npos) return std::nullopt;
      break;
    }
  }
  const auto word = text.substr(0, end);
  text = skip_space(text.substr(end));
  return unquote(word);
}

}  // namespace gpuharden
