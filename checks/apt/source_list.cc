// SPDX-License-Identifier: GPL-2.0-or-later
// The one-line format of sources.list(5), with libapt-pkg's own idea of words and brackets.
#include <algorithm>
#include <optional>

#include "checks/apt/quote_word.h"
#include "checks/apt/source_entry.h"
#include "checks/apt/source_options.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMostRefused = 20;

// Up to the comment; a '#' inside brackets is none. apt's lines end at a NUL.
std::string_view without_comment(std::string_view line) {
  line = line.substr(0, line.find('\0'));
  int depth = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '[') ++depth;
    if (line[i] == ']') --depth;
    if (line[i] == '#' && depth <= 0) return line.substr(0, i);
  }
  return line;
}

// Why an option is refused; empty when it was taken.
std::string take_option(std::string_view option, SourceEntry& entry) {
  const auto equals = option.find('=');
  if (equals == std::string_view::npos) return "an option is no assignment";
  const auto name = option.substr(0, equals);
  const auto value = option.substr(equals + 1);
  if (name.empty()) return "an option has no name";
  if (value.empty()) return "an option has no value";
  entry.options.insert_or_assign(std::string(name), std::string(value));
  const std::string sentence = misspelled_line_option(name, value);
  if (!sentence.empty()) entry.misspelled.push_back(sentence);
  return "";
}

// `text` starts behind the bracket and is moved behind the closing one.
std::string take_options(std::string_view& text, SourceEntry& entry) {
  text = skip_space(text);
  while (text.empty() || text[0] != ']') {
    const auto before = text;
    auto option = take_quote_word(text);
    if (!option) return "its options cannot be read";
    if (option->size() < 3) return "an option is too short";
    if (option->back() == ']') {
      option->pop_back();
      const auto consumed = before.substr(0, before.size() - text.size());
      text = before.substr(consumed.rfind(']'));
    }
    const std::string reason = take_option(*option, entry);
    if (!reason.empty()) return reason;
  }
  text = skip_space(text.substr(1));
  return "";
}

std::string take_place(std::string_view text, SourceEntry& entry) {
  const auto uri = take_quote_word(text);
  if (!uri || uri->empty()) return "it has no URI";
  const auto suite = take_quote_word(text);
  if (!suite) return "it has no suite";
  entry.uris.push_back(*uri);
  entry.suites.push_back(*suite);
  while (const auto component = take_quote_word(text)) entry.components.push_back(*component);
  if (uri->find(':') == std::string::npos) return "its URI has no scheme";
  const bool flat = !suite->empty() && suite->back() == '/';
  if (flat && !entry.components.empty()) return "its suite is a path, so it may have no component";
  if (!flat && entry.components.empty()) return "it has no component";
  return "";
}

std::string parse_line(std::string_view text, SourceEntry& entry) {
  const auto type = take_quote_word(text);
  if (!type) return "it has no type";
  if (*type != "deb" && *type != "deb-src") return refused_type(*type);
  entry.types.push_back(*type);
  if (!text.empty() && text[0] == '[') {
    text.remove_prefix(1);
    const std::string reason = take_options(text, entry);
    if (!reason.empty()) return reason;
  }
  std::string reason = take_place(text, entry);
  const auto signed_by = entry.options.find("signed-by");
  if (!reason.empty() || signed_by == entry.options.end()) return reason;
  if (parse_signed_by(signed_by->second).invalid.empty()) return "";
  return "its signed-by is neither a path nor a fingerprint";
}

}  // namespace

std::string refused_type(std::string_view type) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-";
  const bool is_word = type.size() <= 12 && type.find_first_not_of(kLetters) == std::string_view::npos;
  return is_word ? concat({"its type \"", type, "\" is not known"}) : "its type is not known";
}

SourceEntries parse_source_list(std::string_view text) {
  SourceEntries out;
  std::uint32_t number = 0;
  std::size_t refused = 0;
  for (const auto raw : split(text, '\n')) {
    ++number;
    const auto line = trim(without_comment(raw));
    if (line.empty()) continue;
    SourceEntry entry;
    entry.line = number;
    entry.text = line;
    entry.unusable = parse_line(line, entry);
    refused += entry.unusable.empty() ? 0 : 1;
    out.entries.push_back(std::move(entry));
    out.gave_up = refused >= kMostRefused;
    if (out.gave_up) break;
  }
  return out;
}

}  // namespace gpuharden
