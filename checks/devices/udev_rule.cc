// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/devices/udev_rule.h"

#include <algorithm>
#include <array>
#include <optional>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kBlanks = " \t\r,";
constexpr std::array<std::string_view, 5> kOperations = {"==", "!=", "+=", "-=", ":="};

// One line of rules, from left to right.
class LineParser {
 public:
  explicit LineParser(std::string_view text) : text_(text) {}

  std::optional<std::vector<UdevToken>> parse() {
    std::vector<UdevToken> tokens;
    for (;;) {
      skip(kBlanks);
      if (text_.empty()) return tokens;
      auto token = next();
      if (!token) return std::nullopt;
      tokens.push_back(std::move(*token));
    }
  }

 private:
  void skip(std::string_view characters) {
    text_.remove_prefix(std::min(text_.find_first_not_of(characters), text_.size()));
  }

  std::optional<UdevToken> next() {
    UdevToken token;
    const auto end = text_.find_first_of("{=!+-: \t");
    if (end == std::string_view::npos || end == 0) return std::nullopt;
    token.key = text_.substr(0, end);
    text_.remove_prefix(end);
    if (text_.front() == '{') {
      const auto close = text_.find('}');
      if (close == std::string_view::npos) return std::nullopt;
      token.attribute = text_.substr(1, close - 1);
      text_.remove_prefix(close + 1);
    }
    skip(" \t");
    const auto operation = std::find_if(kOperations.begin(), kOperations.end(),
                                        [&](std::string_view one) { return text_.starts_with(one); });
    token.operation = operation == kOperations.end() ? std::string_view("=") : *operation;
    if (!text_.starts_with(token.operation)) return std::nullopt;
    text_.remove_prefix(token.operation.size());
    skip(" \t");
    auto value = quoted();
    if (!value) return std::nullopt;
    token.value = std::move(*value);
    return token;
  }

  // "…", with \" for a quote; e"…" has C's escapes, i"…" matches without case.
  std::optional<std::string> quoted() {
    while (!text_.empty() && (text_.front() == 'e' || text_.front() == 'i')) text_.remove_prefix(1);
    if (text_.empty() || text_.front() != '"') return std::nullopt;
    std::string value;
    for (std::size_t i = 1; i < text_.size(); ++i) {
      if (text_[i] == '"') {
        text_.remove_prefix(i + 1);
        return value;
      }
      if (text_[i] == '\\' && i + 1 < text_.size() && text_[i + 1] == '"') ++i;
      value += text_[i];
    }
    return std::nullopt;
  }

  std::string_view text_;
};

}  // namespace

const UdevToken* UdevRule::assignment(std::string_view key) const {
  const auto found = std::find_if(tokens.begin(), tokens.end(),
                                  [&](const UdevToken& token) { return token.key == key && !token.is_match(); });
  return found == tokens.end() ? nullptr : &*found;
}

std::vector<UdevRule> parse_udev_rules(std::string_view text, std::vector<std::uint32_t>& bad_lines) {
  std::vector<UdevRule> rules;
  std::uint32_t number = 0;
  std::uint32_t first = 0;
  std::string joined;
  const auto finish = [&] {
    auto tokens = LineParser(joined).parse();
    if (!tokens) bad_lines.push_back(first);
    if (tokens && !tokens->empty()) rules.push_back({first, std::move(*tokens)});
    joined.clear();
    first = 0;
  };
  for (auto line : split(text, '\n')) {
    ++number;
    // A comment inside a continued line is passed over, and the line goes on after it.
    if (trim(line).starts_with('#')) continue;
    if (first == 0) first = number;
    while (line.ends_with('\r')) line.remove_suffix(1);
    const bool goes_on = line.ends_with('\\');
    if (goes_on) line.remove_suffix(1);
    joined += line;
    if (!goes_on) finish();
  }
  if (first != 0) finish();
  return rules;
}

}  // namespace gpuharden
