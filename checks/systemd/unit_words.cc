// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/unit_words.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kBlanks = " \t\n\r";

void append_utf8(std::string& out, std::uint64_t code) {
  const auto byte = [&](std::uint64_t value) { out += static_cast<char>(value); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) return byte(0xC0 | (code >> 6U)), byte(0x80 | (code & 0x3FU));
  if (code < 0x10000)
    return byte(0xE0 | (code >> 12U)), byte(0x80 | ((code >> 6U) & 0x3FU)), byte(0x80 | (code & 0x3FU));
  byte(0xF0 | ((code >> 18U) & 7U)), byte(0x80 | ((code >> 12U) & 0x3FU));
  byte(0x80 | ((code >> 6U) & 0x3FU)), byte(0x80 | (code & 0x3FU));
}

// \xHH, \NNN, \uXXXX, \UXXXXXXXX at `text` (after the backslash); the number of characters used, or 0.
std::size_t append_numeric_escape(std::string_view text, std::string& out) {
  struct Form {
    char letter;
    std::size_t digits;
    int base;
  };
  static constexpr std::array<Form, 3> kForms = {{{'x', 2, 16}, {'u', 4, 16}, {'U', 8, 16}}};
  for (const auto& form : kForms) {
    if (text[0] != form.letter || text.size() <= form.digits) continue;
    const auto code = parse_unsigned(text.substr(1, form.digits), form.base);
    if (!code || *code == 0) return 0;
    if (form.letter == 'x') out += static_cast<char>(*code);
    if (form.letter != 'x') append_utf8(out, *code);
    return form.digits + 1;
  }
  const auto code = text.size() >= 3 ? parse_unsigned(text.substr(0, 3), 8) : std::nullopt;
  if (!code || *code == 0 || *code > 255) return 0;
  out += static_cast<char>(*code);
  return 3;
}

// The escape at `text`, which begins with the backslash; the number of characters used.
std::size_t append_escape(std::string_view text, std::string& out) {
  static constexpr std::string_view kLetters = "abfnrtv\\\"'s";
  static constexpr std::string_view kValues = "\a\b\f\n\r\t\v\\\"' ";
  if (text.size() < 2) return out += '\\', 1;
  const auto known = kLetters.find(text[1]);
  if (known != std::string_view::npos) return out += kValues[known], 2;
  const auto used = append_numeric_escape(text.substr(1), out);
  if (used == 0) out += '\\';
  return used + 1;
}

}  // namespace

std::vector<std::string> split_unit_words(std::string_view value) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while ((at = value.find_first_not_of(kBlanks, at)) != std::string_view::npos) {
    std::string word;
    char quote = 0;
    while (at < value.size() && (quote != 0 || kBlanks.find(value[at]) == std::string_view::npos)) {
      const char c = value[at];
      if (c == '\\') {
        at += append_escape(value.substr(at), word);
        continue;
      }
      const bool opens = quote == 0 && (c == '"' || c == '\'');
      if (opens)
        quote = c;
      else if (c == quote)
        quote = 0;
      else
        word += c;
      ++at;
    }
    words.push_back(std::move(word));
  }
  return words;
}

UnitCommand parse_unit_command(std::string_view value) {
  UnitCommand command;
  value = trim(value);
  const auto begin = std::min(value.find_first_not_of("@-:+!|"), value.size());
  command.flags = value.substr(0, begin);
  command.words = split_unit_words(value.substr(begin));
  // With '@' the second word is argv[0], not an argument.
  if (command.flags.find('@') != std::string::npos && command.words.size() > 1) {
    command.words.erase(command.words.begin() + 1);
  }
  return command;
}

bool is_true_word(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kWords = {"1", "yes", "y", "true", "t", "on"};
  return std::any_of(kWords.begin(), kWords.end(), [&](auto word) { return equals_ignore_case(word, text); });
}

}  // namespace gpuharden
