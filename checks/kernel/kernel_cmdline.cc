// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/kernel_cmdline.h"

namespace gpuharden {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r\xa0";  // the kernel's isspace() holds 0xa0 too

// The word at the start of `text`, which has no leading blanks.
std::string_view next_word(std::string_view text) {
  bool in_quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') in_quotes = !in_quotes;
    if (!in_quotes && kBlanks.find(text[i]) != std::string_view::npos) return text.substr(0, i);
  }
  return text;
}

void drop_closing_quote(std::string_view& text) {
  if (text.ends_with('"')) text.remove_suffix(1);
}

KernelParameter parse_word(std::string_view word) {
  if (word.starts_with('"')) {
    word.remove_prefix(1);
    drop_closing_quote(word);
  }
  const auto equals = word.find('=', 1);  // a name has one byte at least
  if (equals == std::string_view::npos) return {std::string(word), std::nullopt, false};
  auto value = word.substr(equals + 1);
  if (value.starts_with('"')) {
    value.remove_prefix(1);
    drop_closing_quote(value);
  }
  return {std::string(word.substr(0, equals)), std::string(value), false};
}

}  // namespace

std::vector<KernelParameter> parse_kernel_cmdline(std::string_view text) {
  std::vector<KernelParameter> parameters;
  bool for_init = false;
  for (;;) {
    const auto start = text.find_first_not_of(kBlanks);
    if (start == std::string_view::npos) return parameters;
    text.remove_prefix(start);
    const auto word = next_word(text);
    text.remove_prefix(word.size());
    if (word == "--" && !for_init) {
      for_init = true;
      continue;
    }
    parameters.push_back(parse_word(word));
    parameters.back().for_init = for_init;
  }
}

}  // namespace gpuharden
