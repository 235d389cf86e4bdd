// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/sql_tokens.h"

#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_word(char c) { return is_word_start(c) || is_digit(c) || c == '$'; }

template <typename Wanted>
std::size_t end_of(std::string_view sql, std::size_t at, Wanted wanted) {
  while (at < sql.size() && wanted(sql[at])) ++at;
  return at;
}

// Behind the closing quote; a doubled quote does not close.
std::size_t end_of_quoted(std::string_view sql, std::size_t at) {
  const char quote = sql[at] == '[' ? ']' : sql[at];
  for (++at; at < sql.size(); ++at) {
    if (sql[at] != quote) continue;
    if (at + 1 < sql.size() && sql[at + 1] == quote && quote != ']') {
      ++at;
    } else {
      return at + 1;
    }
  }
  return at;
}

std::size_t end_of_operator(std::string_view sql, std::size_t at) {
  static constexpr std::array<std::string_view, 9> kLong = {"->>", "->", "<=", ">=", "<>", "!=", "==", "||", "<<"};
  for (const auto op : kLong) {
    if (sql.substr(at, op.size()) == op) return at + op.size();
  }
  return at + 1;
}

// Behind blanks and comments.
std::size_t skip_blank(std::string_view sql, std::size_t at) {
  for (;;) {
    const auto rest = sql.substr(at);
    if (rest.starts_with("--")) {
      at = end_of(sql, at, [](char c) { return c != '\n'; });
    } else if (rest.starts_with("/*")) {
      const auto end = sql.find("*/", at + 2);
      at = end == std::string_view::npos ? sql.size() : end + 2;
    } else if (!rest.empty() && std::string_view(" \t\r\n\f").find(rest[0]) != std::string_view::npos) {
      ++at;
    } else {
      return at;
    }
  }
}

SqlToken next_token(std::string_view sql, std::size_t at) {
  using Kind = SqlToken::Kind;
  const char c = sql[at];
  const char following = at + 1 < sql.size() ? sql[at + 1] : '\0';
  Kind kind = Kind::kOperator;
  std::size_t end = 0;
  if (c == '\'') {
    kind = Kind::kString;
    end = end_of_quoted(sql, at);
  } else if (c == '"' || c == '`' || c == '[') {
    kind = Kind::kQuotedName;
    end = end_of_quoted(sql, at);
  } else if (is_digit(c) || (c == '.' && is_digit(following))) {
    kind = Kind::kNumber;
    end = end_of(sql, at, [](char x) { return is_word(x) || x == '.'; });
  } else if (is_word_start(c)) {
    kind = Kind::kWord;
    end = end_of(sql, at, is_word);
  } else if (c == ':' || c == '@' || c == '?' || c == '$' || c == '#') {
    kind = Kind::kParameter;
    end = end_of(sql, at + 1, is_word);
  } else {
    end = end_of_operator(sql, at);
  }
  return {kind, sql.substr(at, end - at), at, 0};
}

}  // namespace

bool SqlToken::is(std::string_view word) const {
  return (kind == Kind::kWord || kind == Kind::kOperator) && equals_ignore_case(text, word);
}

std::vector<SqlToken> tokenize_sql(std::string_view sql) {
  std::vector<SqlToken> tokens;
  int depth = 0;
  for (std::size_t at = skip_blank(sql, 0); at < sql.size(); at = skip_blank(sql, at)) {
    SqlToken token = next_token(sql, at);
    if (token.is(")")) --depth;
    token.depth = depth;
    if (token.is("(")) ++depth;
    at += token.text.size();
    tokens.push_back(token);
  }
  return tokens;
}

}  // namespace gpuharden
