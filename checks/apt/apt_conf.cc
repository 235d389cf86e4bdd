// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/apt_conf.h"

#include <algorithm>
#include <optional>

#include "checks/apt/quote_word.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kDeepest = 100;
constexpr std::size_t kMostStatements = 100000;

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

// A value in quotes, several of them with a blank between each; nothing when there is other text.
std::optional<std::string> take_quoted(std::string_view text) {
  std::string value;
  text = trim(text);
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    const auto close = text[0] == '"' ? text.find('"', 1) : std::string_view::npos;
    if (close == std::string_view::npos) return std::nullopt;
    value += text.substr(1, close - 1);
    text.remove_prefix(close + 1);
    const auto rest = skip_space(text);
    if (!rest.empty() && rest.size() < text.size()) value += ' ';
    text = rest;
  }
  return value;
}

// Reads one character after the other, with quotes, comments and scopes.
class ConfReader {
 public:
  explicit ConfReader(std::string_view text) : text_(text) {}

  AptConf read() && {
    while (at_ < text_.size() && conf_.fault.empty()) step();
    if (conf_.fault.empty() && !trim(statement_).empty()) fail("its last statement has no ';'");
    return std::move(conf_);
  }

 private:
  void fail(std::string_view reason) { conf_.fault = concat({"line ", std::to_string(line_), ": ", reason}); }

  void step() {
    const char c = text_[at_];
    const auto rest = text_.substr(at_);
    if (c == '"') return take_quote();
    if (starts_with(rest, "/*")) return skip_to("*/", 2);
    if (starts_with(rest, "#clear") || starts_with(rest, "#include")) return take_directive();
    if (starts_with(rest, "//") || c == '#') return skip_to("\n", 0);
    ++at_;
    if (c == '{') return open_scope();
    if (c == ';' || c == '}') finish_statement();
    if (c == '}' && !scopes_.empty()) scopes_.pop_back();
    if (c != ';' && c != '}') keep(c);
    if (c == '\n') ++line_;
  }

  void keep(char c) {
    if (trim(statement_).empty()) statement_line_ = line_;
    statement_ += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }

  // A quote ends with its line: what follows is read as if it were not there.
  void take_quote() {
    const auto end = text_.find_first_of("\"\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] == '\n') return fail("a quote is not closed");
    for (; at_ <= end; ++at_) keep(text_[at_]);
  }

  void skip_to(std::string_view end, std::size_t begin_size) {
    const auto found = text_.find(end, at_ + begin_size);
    const auto stop = found == std::string_view::npos ? text_.size() : found + (end == "\n" ? 0 : end.size());
    line_ += static_cast<std::uint32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                   text_.begin() + static_cast<std::ptrdiff_t>(stop), '\n'));
    at_ = stop;
  }

  void take_directive() {
    const auto end = text_.find(';', at_);
    if (end == std::string_view::npos) return fail("a directive has no ';'");
    auto words = text_.substr(at_, end - at_);
    const auto directive = take_quote_word(words);
    const auto argument = take_quote_word(words);
    if (!argument || !words.empty()) return fail("a directive needs one argument");
    const auto kind = *directive == "#clear" ? AptConfStatement::Kind::kClear : AptConfStatement::Kind::kInclude;
    add({kind, kind == AptConfStatement::Kind::kClear ? scoped(*argument) : *argument, "", line_});
    line_ += static_cast<std::uint32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                   text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end + 1;
  }

  std::string scoped(const std::string& name) const {
    return scopes_.empty() ? name : concat({scopes_.back(), "::", name});
  }

  void open_scope() {
    std::string_view words = statement_;
    const auto name = take_quote_word(words);
    if (!name) return fail("a block has no name");
    if (scopes_.size() >= kDeepest) return fail("blocks are nested too deeply");
    const std::string full = scoped(*name);
    if (!words.empty()) set_value(full, words);
    scopes_.push_back(full);
    statement_.clear();
  }

  void finish_statement() {
    std::string_view words = statement_;
    const auto name = take_quote_word(words);
    if (!name && !words.empty()) return fail("a word cannot be read");
    if (name && words.empty() && !scopes_.empty()) {
      add({AptConfStatement::Kind::kAppend, scopes_.back(), *name, statement_line_});
    } else if (name && !words.empty()) {
      set_value(scoped(*name), words);
    }
    statement_.clear();
  }

  void set_value(std::string name, std::string_view words) {
    auto value = take_quoted(words);
    if (!value) {
      value = take_quote_word(words);
      if (!value || !words.empty()) return fail("there is more behind a value");
    }
    const bool appends = name.size() > 2 && name.substr(name.size() - 2) == "::";
    if (appends) name.resize(name.size() - 2);
    add({appends ? AptConfStatement::Kind::kAppend : AptConfStatement::Kind::kSet, std::move(name), *value,
         statement_line_});
  }

  void add(AptConfStatement statement) {
    if (conf_.statements.size() >= kMostStatements) return fail("there are too many statements");
    conf_.statements.push_back(std::move(statement));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::string statement_;
  std::uint32_t statement_line_ = 1;
  std::vector<std::string> scopes_;
  AptConf conf_;
};

}  // namespace

AptConf parse_apt_conf(std::string_view text) { return ConfReader(text).read(); }

void AptSettings::clear(const std::string& name) {
  settings_.erase(name);
  const std::string below = name + "::";
  auto at = settings_.lower_bound(below);
  while (at != settings_.end() && starts_with(at->first, below)) at = settings_.erase(at);
}

void AptSettings::apply(const AptConfStatement& statement, const std::string& file) {
  std::string name = to_lower(statement.name);
  if (statement.kind == AptConfStatement::Kind::kClear) return clear(name);
  if (statement.kind == AptConfStatement::Kind::kInclude) return;
  std::string written = statement.name;
  if (statement.kind == AptConfStatement::Kind::kAppend) {
    const std::string item = "::#" + std::to_string(++items_[name]);
    name += item;
    written += item;
  }
  settings_.insert_or_assign(std::move(name), AptSetting{std::move(written), statement.value, file, statement.line});
}

bool is_apt_conf_name(std::string_view name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-:.";
  if (name.empty() || name[0] == '.' || name.find_first_not_of(kLetters) != std::string_view::npos) return false;
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos || name.substr(dot) == ".conf";
}

}  // namespace gpuharden
