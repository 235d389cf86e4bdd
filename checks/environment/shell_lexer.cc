// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/shell_lexer.h"

#include <algorithm>
#include <array>

namespace gpuharden {
namespace {

constexpr std::string_view kMeta = " \t\n;&|()<>";
constexpr std::array<std::string_view, 7> kOperators = {";;&", ";;", ";&", "&&", "||", "|&", "&|"};

// Pushes the closer of a group that begins at `at` and moves behind its opener.
bool open_group(std::string_view text, std::size_t& at, std::string& closers) {
  const char c = text[at];
  const char next = at + 1 < text.size() ? text[at + 1] : '\0';
  if (c == '"' || c == '`') return closers += c, ++at, true;
  if (c == '$' && next == '(') return closers += ')', at += 2, true;
  if (c == '$' && next == '{') return closers += '}', at += 2, true;
  return false;
}

}  // namespace

std::size_t end_of_group(std::string_view text, std::size_t at) {
  if (text[at] == '\'') return std::min(text.find('\'', at + 1), text.size() - 1) + 1;
  std::string closers;
  if (!open_group(text, at, closers)) return at + 1;
  while (at < text.size() && !closers.empty()) {
    const char c = text[at];
    const char closer = closers.back();
    if (c == '\\') {
      at += 2;
    } else if (c == closer) {
      closers.pop_back();
      ++at;
    } else if (c == '\'' && closer == ')') {
      at = std::min(text.find('\'', at + 1), text.size() - 1) + 1;
    } else if (c == '(' && closer == ')') {
      closers += ')';
      ++at;
    } else if (!open_group(text, at, closers)) {
      ++at;
    }
  }
  return std::min(at, text.size());
}

void ShellLexer::skip_to(std::size_t at) {
  at = std::min(at, text_.size());
  line_ += static_cast<std::uint32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  at_ = at;
}

ShellToken ShellLexer::take(ShellTokenKind kind, std::size_t length) {
  const ShellToken token{kind, text_.substr(at_, length), line_};
  skip_to(at_ + length);
  return token;
}

void ShellLexer::skip_blanks() {
  while (at_ < text_.size()) {
    if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')
      ++at_;
    else if (text_.substr(at_).starts_with("\\\n"))
      skip_to(at_ + 2);
    else if (text_.substr(at_).starts_with("\\\r\n"))
      skip_to(at_ + 3);
    else if (text_[at_] == '#')
      skip_to(text_.find('\n', at_));
    else
      return;
  }
}

std::size_t ShellLexer::end_of_word(std::size_t at) const {
  const auto begin = at;
  while (at < text_.size()) {
    const char c = text_[at];
    if (c == '\\') {
      at += 2;
    } else if (c == '(' && at > begin && text_[at - 1] == '=') {
      // An array: up to its parenthesis, as a substitution would be.
      std::size_t depth = 1;
      for (++at; at < text_.size() && depth > 0;) {
        depth += text_[at] == '(' ? 1U : 0U;
        depth -= text_[at] == ')' ? 1U : 0U;
        at = text_[at] == '\\' ? at + 2 : end_of_group(text_, at);
      }
    } else if (kMeta.find(c) != std::string_view::npos) {
      break;
    } else {
      at = end_of_group(text_, at);
    }
  }
  return std::min(at, text_.size());
}

// `<`, `>`, `>>`, `<<WORD`, `<<<word`, `2>&1`: with its target.
void ShellLexer::skip_redirection() {
  const auto rest = text_.substr(at_);
  const bool is_here_string = rest.starts_with("<<<");
  const bool is_here_document = rest.starts_with("<<") && !is_here_string;
  const bool strips_tabs = is_here_document && rest.starts_with("<<-");
  const bool is_process = rest.starts_with("<(") || rest.starts_with(">(");
  if (is_process) return skip_to(at_ + 1);
  skip_to(std::min(text_.find_first_not_of(is_here_document ? "<-" : "<>&|", at_), text_.size()));
  skip_blanks();
  const auto end = end_of_word(at_);
  if (is_here_document) {
    HereDocument document{"", strips_tabs};
    for (const char c : text_.substr(at_, end - at_)) {
      if (c != '\'' && c != '"' && c != '\\') document.delimiter += c;
    }
    here_documents_.push_back(std::move(document));
  }
  skip_to(end);
}

// At the newline after the line with the `<<`: the bodies follow, one after the other.
void ShellLexer::skip_here_documents() {
  for (const auto& document : here_documents_) {
    while (at_ < text_.size()) {
      const auto end = std::min(text_.find('\n', at_ + 1), text_.size());
      auto line = text_.substr(at_ + 1, end - std::min(at_ + 1, end));
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (document.strips_tabs) line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
      skip_to(end);
      if (line == document.delimiter) break;
    }
  }
  here_documents_.clear();
}

ShellToken ShellLexer::next() {
  for (;;) {
    skip_blanks();
    if (at_ >= text_.size()) return {ShellTokenKind::kEnd, {}, line_};
    const char c = text_[at_];
    if (c == '\n') {
      const ShellToken token{ShellTokenKind::kNewline, text_.substr(at_, 1), line_};
      if (!here_documents_.empty()) skip_here_documents();
      if (at_ < text_.size()) skip_to(at_ + 1);
      return token;
    }
    if (c == '<' || c == '>') {
      skip_redirection();
      continue;
    }
    for (const auto one : kOperators) {
      if (text_.substr(at_).starts_with(one)) return take(ShellTokenKind::kOperator, one.size());
    }
    if (kMeta.find(c) != std::string_view::npos) return take(ShellTokenKind::kOperator, 1);
    const auto end = end_of_word(at_);
    const auto word = text_.substr(at_, end - at_);
    // "2>file": the number belongs to the redirection.
    const bool is_descriptor = end < text_.size() && (text_[end] == '<' || text_[end] == '>') &&
                               word.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_descriptor) return take(ShellTokenKind::kWord, end - at_);
    skip_to(end);
  }
}

}  // namespace gpuharden
