// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/services/python_lines.h"

#include <algorithm>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

class PythonSplitter {
 public:
  explicit PythonSplitter(std::string_view text) : text_(text) {}

  PythonText split() {
    begin_line();
    while (at_ < text_.size()) step();
    end_line();
    if (depth_ > 0) out_.is_broken = true;
    return std::move(out_);
  }

 private:
  void begin_line() {
    current_ = {};
    current_.line = line_;
    current_.is_indented = at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t');
  }

  void end_line() {
    if (!trim(current_.text).empty()) out_.lines.push_back(std::move(current_));
  }

  void add(char c, char code) {
    current_.text += c;
    current_.code += code;
  }

  void step() {
    const char c = text_[at_];
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '\'' || c == '"') {
      string(c);
    } else if (c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') {
      at_ += 2;
      ++line_;
      add(' ', ' ');
    } else if (c == '\n') {
      newline();
    } else {
      if (c == '(' || c == '[' || c == '{') ++depth_;
      if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
      add(c, c);
      ++at_;
    }
  }

  void newline() {
    ++at_;
    ++line_;
    if (depth_ > 0) {
      add(' ', ' ');
      return;
    }
    end_line();
    begin_line();
  }

  void string(char quote) {
    const std::string triple(3, quote);
    const bool is_triple = text_.substr(at_, 3) == triple;
    const std::size_t width = is_triple ? 3 : 1;
    for (std::size_t i = 0; i < width; ++i, ++at_) add(quote, '"');
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_triple ? text_.substr(at_, 3) == triple : c == quote) {
        for (std::size_t i = 0; i < width; ++i, ++at_) add(quote, '"');
        return;
      }
      if (c == '\n' && !is_triple) break;
      take(c);
      if (c == '\\' && at_ < text_.size()) take(text_[at_]);
    }
    out_.is_broken = true;
  }

  void take(char c) {
    if (c == '\n') ++line_;
    add(c, '"');
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::size_t depth_ = 0;
  PythonLine current_;
  PythonText out_;
};

std::optional<std::string> unescape(std::string_view body) {
  std::string out;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\') {
      out += body[i];
      continue;
    }
    if (++i == body.size()) return std::nullopt;
    if (body[i] == 'n') {
      out += '\n';
    } else if (body[i] == '\\' || body[i] == '\'' || body[i] == '"') {
      out += body[i];
    } else {
      return std::nullopt;
    }
  }
  return out;
}

// Where the string that begins with `quote` ends, closing quote not included.
std::optional<std::size_t> end_of_string(std::string_view text, std::string_view quote) {
  for (std::size_t i = quote.size(); i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text.substr(i, quote.size()) == quote) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace

PythonText split_python_lines(std::string_view text) { return PythonSplitter(text).split(); }

std::optional<std::string> python_literal(std::string_view text) {
  text = trim(text);
  if (text == "True" || text == "False" || text == "None") return std::string(text);
  if (parse_unsigned(text)) return std::string(text);
  bool is_raw = false;
  if (text.starts_with('u') || text.starts_with('r')) {
    is_raw = text.front() == 'r';
    text.remove_prefix(1);
  }
  if (text.size() < 2 || (text[0] != '\'' && text[0] != '"')) return std::nullopt;
  const bool is_triple = text.size() >= 6 && text[1] == text[0] && text[2] == text[0];
  const auto quote = text.substr(0, is_triple ? 3 : 1);
  const auto end = end_of_string(text, quote);
  if (!end || *end + quote.size() != text.size()) return std::nullopt;
  const auto body = text.substr(quote.size(), *end - quote.size());
  return is_raw ? std::optional(std::string(body)) : unescape(body);
}

}  // namespace gpuharden
