// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/slurm/slurm_conf.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

struct LogicalLine {
  std::string text;
  std::uint32_t number = 0;
};

// Without what a comment hides; "\#" is a literal one.
std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] != '\\') return line.substr(0, at);
  }
  return line;
}

std::vector<LogicalLine> logical_lines(std::string_view text) {
  std::vector<LogicalLine> lines;
  std::uint32_t number = 0;
  bool goes_on = false;
  for (const auto physical : split(text, '\n')) {
    ++number;
    auto line = trim(without_comment(physical));
    if (!goes_on) lines.push_back({"", number});
    goes_on = line.ends_with('\\');
    if (goes_on) line.remove_suffix(1);
    lines.back().text += concat({lines.back().text.empty() ? "" : " ", line});
  }
  return lines;
}

// One word of a line; blanks inside quotes do not end it.
std::string_view next_word(std::string_view& rest) {
  rest = trim(rest);
  bool in_quotes = false;
  std::size_t end = 0;
  for (; end < rest.size(); ++end) {
    if (rest[end] == '"') in_quotes = !in_quotes;
    if (!in_quotes && (rest[end] == ' ' || rest[end] == '\t')) break;
  }
  const auto word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

std::string unquoted(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c != '"') text += c;
  }
  return text;
}

// "Key = Value" is the same as "Key=Value".
std::string without_blanks_around_equals(std::string_view line) {
  std::string text;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] != '=') {
      text += line[at];
      continue;
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
    text += '=';
    while (at + 1 < line.size() && (line[at + 1] == ' ' || line[at + 1] == '\t')) ++at;
  }
  return text;
}

}  // namespace

SlurmConf parse_slurm_conf(std::string_view text) {
  SlurmConf conf;
  for (const auto& line : logical_lines(text)) {
    const std::string plain = without_blanks_around_equals(line.text);
    std::string_view rest = plain;
    auto word = next_word(rest);
    if (equals_ignore_case(word, "include")) {
      conf.includes.push_back({"Include", std::string(trim(rest)), line.number});
      continue;
    }
    for (; !word.empty(); word = next_word(rest)) {
      const auto equals = word.find('=');
      if (equals == std::string_view::npos) continue;
      conf.settings.push_back({std::string(word.substr(0, equals)), unquoted(word.substr(equals + 1)), line.number});
    }
  }
  return conf;
}

}  // namespace gpuharden
