// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/rules/diagnostic.h"

#include <algorithm>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kSnippetWidth = 100;

// The line with a caret under the column; a long line is cut around it.
std::string make_snippet(std::string_view text, std::size_t line, std::size_t column) {
  const auto lines = split(text, '\n');
  if (line == 0 || line > lines.size()) return {};
  std::string_view shown = lines[line - 1];
  std::size_t caret = std::min(column, shown.size() + 1);
  if (caret > kSnippetWidth) {
    const auto cut = caret - kSnippetWidth / 2;
    shown.remove_prefix(cut);
    caret -= cut;
  }
  shown = shown.substr(0, kSnippetWidth);
  return concat(
      {"    ", escape_for_terminal(shown), "\n    ", std::string(std::max<std::size_t>(caret, 1) - 1, ' '), "^"});
}

}  // namespace

std::string format(const Diagnostic& diagnostic) {
  std::string out = concat({escape_for_terminal(diagnostic.place.file), ":", std::to_string(diagnostic.place.line), ":",
                            std::to_string(diagnostic.place.column), ": ", diagnostic.code, ": ",
                            escape_for_terminal(diagnostic.sentence)});
  if (!diagnostic.snippet.empty()) out += "\n" + diagnostic.snippet;
  return out;
}

void FileDiagnostics::add(std::string_view code, std::size_t line, std::size_t column, std::string sentence) {
  ++count_;
  out_.push_back({std::string(code), std::move(sentence), {file_, line, column}, make_snippet(text_, line, column)});
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const auto candidate = nearest(word, candidates);
  return candidate ? concat({", did you mean \"", *candidate, "\"?"}) : std::string();
}

}  // namespace gpuharden
