// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

namespace gpuharden {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";
constexpr std::string_view kHexDigits = "0123456789abcdef";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Length of the valid UTF-8 sequence at the start of `text`, or 0.
std::size_t utf8_length(std::string_view text, std::uint32_t* code_point) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  std::size_t length = 0;
  if (first < 0x80) {
    *code_point = first;
    return 1;
  }
  std::uint32_t minimum = 0;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2, *code_point = first & 0x1FU, minimum = 0x80;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3, *code_point = first & 0x0FU, minimum = 0x800;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4, *code_point = first & 0x07U, minimum = 0x10000;
  } else {
    return 0;
  }
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    *code_point = (*code_point << 6U) | (byte(i) & 0x3FU);
  }
  const bool surrogate = *code_point >= 0xD800 && *code_point <= 0xDFFF;
  return *code_point < minimum || *code_point > 0x10FFFF || surrogate ? 0 : length;
}

bool is_invisible_control(std::uint32_t c) {
  return (c >= 0x80 && c < 0xA0) || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

void append_hex_escape(std::string& out, unsigned char byte) {
  out += "\\x";
  out += kHexDigits[byte >> 4U];
  out += kHexDigits[byte & 0xFU];
}

// Whether `c` is in the bracket expression that starts at pattern[at] == '['; moves `at` behind it.
bool match_bracket(std::string_view pattern, std::size_t& at, char c) {
  std::size_t i = at + 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool found = false;
  for (bool first = true; i < pattern.size() && (first || pattern[i] != ']'); first = false) {
    const char low = pattern[i];
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      found = found || (low <= c && c <= pattern[i + 2]);
      i += 3;
    } else {
      found = found || low == c;
      ++i;
    }
  }
  at = i < pattern.size() ? i + 1 : i;
  return found != negated;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string concat(std::initializer_list<std::string_view> parts) {
  std::string out;
  std::size_t size = 0;
  for (const auto part : parts) size += part.size();
  out.reserve(size);
  for (const auto part : parts) out += part;
  return out;
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const auto first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return words;
    const auto last = std::min(text.find_first_of(kBlanks, first), text.size());
    words.push_back(text.substr(first, last - first));
    text.remove_prefix(last);
  }
}

std::string_view folder_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? std::string_view("/") : path.substr(0, slash);
}

void add_once(std::vector<std::string>& list, std::string_view text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.emplace_back(text);
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const auto& part : parts) {
    if (&part != &parts.front()) out += separator;
    out += part;
  }
  return out;
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

bool equals_ignore_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_c_integer(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && lower(text[1]) == 'x') {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  const auto value = parse_unsigned(text, base);
  if (!value || *value > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  return negative ? -static_cast<std::int64_t>(*value) : static_cast<std::int64_t>(*value);
}

std::string format_mode(unsigned mode) {
  std::string out(4, '0');
  for (std::size_t i = 0; i < 4; ++i) {
    out[3 - i] = static_cast<char>('0' + ((mode >> (3 * i)) & 7U));
  }
  return out;
}

std::string escape_for_terminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::uint32_t code_point = 0;
    const auto length = utf8_length(text, &code_point);
    const bool printable =
        length == 1 ? (code_point >= 0x20 && code_point != 0x7F) : length > 1 && !is_invisible_control(code_point);
    const auto taken = std::max<std::size_t>(length, 1);
    if (printable) {
      out += text.substr(0, taken);
    } else {
      for (const char c : text.substr(0, taken)) append_hex_escape(out, static_cast<unsigned char>(c));
    }
    text.remove_prefix(taken);
  }
  return out;
}

std::string replace_invalid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::uint32_t code_point = 0;
    const auto length = utf8_length(text, &code_point);
    out += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string to_hex(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kHexDigits[byte >> 4U];
    out += kHexDigits[byte & 0xFU];
  }
  return out;
}

bool glob_match(std::string_view pattern, std::string_view text, bool star_matches_slash) {
  std::size_t p = 0;
  std::size_t t = 0;
  // Where to go back to when the last '*' must swallow one more character.
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size() || p < pattern.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
      continue;
    }
    if (t < text.size() && p < pattern.size()) {
      std::size_t next = p + 1;
      const bool hit = pattern[p] == '['   ? match_bracket(pattern, next = p, text[t])
                       : pattern[p] == '?' ? (text[t] != '/' || star_matches_slash)
                                           : pattern[p] == text[t];
      if (hit) {
        p = next;
        ++t;
        continue;
      }
    }
    const bool can_retry =
        star != std::string_view::npos && star_text < text.size() && (text[star_text] != '/' || star_matches_slash);
    if (!can_retry) return false;
    p = star + 1;
    t = ++star_text;
  }
  return true;
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    const auto distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = &candidate;
    }
  }
  return best == nullptr ? std::nullopt : std::optional<std::string>(*best);
}

}  // namespace gpuharden
