// SPDX-License-Identifier: GPL-2.0-or-later
#include "remediations/assignment_line.h"

#include <vector>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kUnitSetting = "Environment=";

// A word of a line, quotes included.
struct Word {
  std::size_t start = 0;
  std::size_t length = 0;
};

// Words as a shell or systemd takes them apart; nothing where a quote stays open or a backslash escapes.
std::optional<std::vector<Word>> words_of(std::string_view line) {
  std::vector<Word> words;
  char quote = 0;
  bool in_word = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '\\') return std::nullopt;
    const bool is_blank = quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r');
    if (is_blank) {
      in_word = false;
      continue;
    }
    if (!in_word) words.push_back({at, 0});
    in_word = true;
    words.back().length = at + 1 - words.back().start;
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    }
  }
  if (quote != 0) return std::nullopt;
  return words;
}

bool assigns(std::string_view word, std::string_view name) {
  if (!word.empty() && (word[0] == '"' || word[0] == '\'')) word.remove_prefix(1);
  return word.starts_with(name) && word.size() > name.size() && word[name.size()] == '=';
}

// What makes a shell do more than to assign.
bool has_command_characters(std::string_view word) { return word.find_first_of(";&|<>`()") != std::string_view::npos; }

Error does_more(std::string_view name) {
  return {ErrorCode::kUnsupported, concat({"the line does more than to set ", name, ": edit it by hand"})};
}

Result<std::string> without_word(std::string_view line, const Word& word, std::size_t count) {
  if (count == 1) return std::string();
  std::string out(line.substr(0, word.start));
  auto rest = line.substr(word.start + word.length);
  // One blank goes with the word.
  if (!rest.empty() && rest[0] == ' ') {
    rest.remove_prefix(1);
  } else if (out.ends_with(' ')) {
    out.pop_back();
  }
  return out + std::string(rest);
}

Result<std::string> without_unit_assignment(std::string_view line, std::string_view name) {
  const auto start = line.find(kUnitSetting) + kUnitSetting.size();
  auto words = words_of(line.substr(start));
  if (!words) return does_more(name);
  for (auto& word : *words) {
    word.start += start;
    if (assigns(line.substr(word.start, word.length), name)) return without_word(line, word, words->size());
  }
  return Error{ErrorCode::kStale, concat({"the line does not set ", name, " any more"})};
}

bool is_word(std::string_view line, const Word& word, std::string_view text) {
  return line.substr(word.start, word.length) == text;
}

// The words of the line after what only says how to assign; the name and the value of csh and fish as one.
bool is_only_assignment(std::string_view line, const std::vector<Word>& words, std::string_view name) {
  std::size_t first = 0;
  while (first < words.size() && (is_word(line, words[first], "export") || is_word(line, words[first], "DEFAULT")))
    ++first;
  if (words.size() == first + 1) return assigns(line.substr(words[first].start, words[first].length), name);
  const bool is_csh = words.size() == 3 && is_word(line, words[0], "setenv") && is_word(line, words[1], name);
  const bool is_fish = words.size() == 4 && is_word(line, words[0], "set") && line.substr(words[1].start, 1) == "-" &&
                       is_word(line, words[2], name);
  // pam_env.conf: NAME DEFAULT=value
  const bool is_pam =
      words.size() == 2 && is_word(line, words[0], name) && line.substr(words[1].start).starts_with("DEFAULT=");
  return is_csh || is_fish || is_pam;
}

}  // namespace

Result<std::string> without_assignment(std::string_view line, std::string_view name) {
  if (trim(line).starts_with(kUnitSetting)) return without_unit_assignment(line, name);
  const auto words = words_of(line);
  if (!words || !is_only_assignment(line, *words, name)) return does_more(name);
  for (const auto& word : *words) {
    if (has_command_characters(line.substr(word.start, word.length))) return does_more(name);
  }
  return std::string();
}

Result<std::size_t> find_line(std::string_view text, std::string_view line, std::size_t wanted) {
  const auto lines = split(text, '\n');
  for (std::size_t number = std::min(wanted, lines.size()); number > 0; --number) {
    if (lines[number - 1] == line) return number;
  }
  return Error{ErrorCode::kStale, "the line is not there any more"};
}

}  // namespace gpuharden
