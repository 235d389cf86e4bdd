// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/shell_expand.h"

#include <algorithm>
#include <optional>

#include "checks/environment/env_file.h"
#include "checks/environment/shell_lexer.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr int kMaxDepth = 4;  // of words inside ${…}
constexpr std::size_t kMaxGrowth = 2048;

std::size_t end_of_name(std::string_view text, std::size_t at) {
  if (at >= text.size() || !is_variable_name(text.substr(at, 1))) return at;
  while (at < text.size() && (is_variable_name(text.substr(at, 1)) || (text[at] >= '0' && text[at] <= '9'))) ++at;
  return at;
}

class Expander {
 public:
  Expander(const ShellVariables& known, std::string_view unset, std::size_t limit)
      : known_(known), unset_(unset), limit_(limit) {}

  void expand(std::string_view text, bool quoted, int depth) {
    std::size_t at = 0;
    while (at < text.size() && out_.size() < limit_) at = step(text, at, quoted, depth);
  }
  std::string take() { return std::move(out_); }

 private:
  std::size_t step(std::string_view text, std::size_t at, bool quoted, int depth) {
    const char c = text[at];
    if (c == '\'' && !quoted) return literal(text, at);
    if (c == '"' && !quoted) {
      const auto end = end_of_group(text, at);
      const bool closed = end > at + 1 && text[end - 1] == '"';
      expand(text.substr(at + 1, end - at - (closed ? 2 : 1)), true, depth);
      return end;
    }
    if (c == '\\') return escape(text, at, quoted);
    if (c == '`') return substitution(text, at);
    if (c == '$') return dollar(text, at, quoted, depth);
    if (c == '~' && !quoted) return tilde(text, at);
    out_ += c;
    return at + 1;
  }

  std::size_t literal(std::string_view text, std::size_t at) {
    const auto end = end_of_group(text, at);
    const bool closed = end > at + 1 && text[end - 1] == '\'';
    out_ += text.substr(at + 1, end - at - (closed ? 2 : 1)).substr(0, limit_);
    return end;
  }

  std::size_t escape(std::string_view text, std::size_t at, bool quoted) {
    if (at + 1 >= text.size()) return out_ += '\\', at + 1;
    const char next = text[at + 1];
    const bool special = !quoted || std::string_view("\\\"$`\n").find(next) != std::string_view::npos;
    if (!special) out_ += '\\';
    if (next != '\n') out_ += next;
    return at + 2;
  }

  std::size_t substitution(std::string_view text, std::size_t at) {
    out_ += "$(...)";
    return end_of_group(text, at);
  }

  // "~/x" and "a:~/x"; another user's home is not looked up.
  std::size_t tilde(std::string_view text, std::size_t at) {
    const bool begins = at == 0 || text[at - 1] == ':' || text[at - 1] == '=';
    const bool ends = at + 1 >= text.size() || text[at + 1] == '/' || text[at + 1] == ':';
    const auto home = known_.find("HOME");
    if (begins && ends && home != known_.end())
      out_ += home->second;
    else
      out_ += '~';
    return at + 1;
  }

  std::size_t dollar(std::string_view text, std::size_t at, bool quoted, int depth) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (next == '(') return substitution(text, at);
    if (next == '\'' && !quoted) return literal(text, at + 1);
    if (next == '{') {
      const auto end = end_of_group(text, at);
      const bool closed = text[end - 1] == '}';
      braces(text.substr(at + 2, end - at - (closed ? 3 : 2)), quoted, depth);
      return end;
    }
    const auto end = end_of_name(text, at + 1);
    if (end == at + 1) return out_ += '$', at + 1;
    out_ += value_of(text.substr(at + 1, end - at - 1)).value_or("");
    return end;
  }

  // Nothing for the variable that counts as not set.
  std::optional<std::string> value_of(std::string_view name) const {
    if (!unset_.empty() && name == unset_) return std::nullopt;
    const auto found = known_.find(std::string(name));
    return found == known_.end() ? concat({"$", name}) : found->second;
  }

  // The inside of ${…}.
  void braces(std::string_view inside, bool quoted, int depth) {
    const auto name = inside.substr(0, end_of_name(inside, 0));
    auto rest = inside.substr(name.size());
    const auto value = name.empty() ? std::optional(concat({"${", inside, "}"})) : value_of(name);
    const bool tests_empty = rest.starts_with(':');
    if (tests_empty) rest.remove_prefix(1);
    const char operation = rest.empty() ? '\0' : rest[0];
    const bool is_set = value && (!tests_empty || !value->empty());
    if (operation == '+' || operation == '-' || operation == '=' || operation == '?') {
      const bool takes_word = (operation == '+') == is_set;
      if (takes_word && operation != '?' && depth < kMaxDepth) return expand(rest.substr(1), quoted, depth + 1);
      if (operation == '+') return;
    } else if (!rest.empty() && value) {
      // Trimming, substitution, slicing: not computed.
      out_ += concat({"$", name});
      return;
    }
    out_ += value.value_or("");
  }

  const ShellVariables& known_;
  std::string_view unset_;
  std::size_t limit_;
  std::string out_;
};

}  // namespace

std::string expand_shell_word(std::string_view word, const ShellVariables& known, std::string_view unset) {
  const auto limit = word.size() + kMaxGrowth;
  Expander expander(known, unset, limit);
  expander.expand(word, false, 0);
  auto value = expander.take();
  if (value.size() > limit) value.resize(limit);
  return value;
}

std::string unquote_shell_word(std::string_view word) {
  std::string out;
  char quote = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote)
      quote = 0;
    else if (c == '\\' && quote != '\'' && i + 1 < word.size())
      out += word[++i];
    else
      out += c;
  }
  return out;
}

bool refers_to(std::string_view word, std::string_view name) {
  for (std::size_t at = word.find('$'); at != std::string_view::npos; at = word.find('$', at + 1)) {
    auto rest = word.substr(at + 1);
    if (rest.starts_with('{')) rest.remove_prefix(1);
    if (rest.starts_with(name) && end_of_name(rest, 0) == name.size()) return true;
  }
  return false;
}

}  // namespace gpuharden
