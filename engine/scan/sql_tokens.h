// SPDX-License-Identifier: GPL-2.0-or-later
// SQL as tokens, for what SQLite itself does not refuse.
#pragma once

#include <string_view>
#include <vector>

namespace gpuharden {

struct SqlToken {
  enum class Kind { kWord, kQuotedName, kNumber, kString, kParameter, kOperator };
  Kind kind = Kind::kOperator;
  std::string_view text;  // as written, quotes included
  std::size_t offset = 0;
  int depth = 0;  // of parentheses around it; a parenthesis itself counts as outside

  bool is(std::string_view word) const;  // case-insensitive, of a word or operator
};

// Comments and blanks are left out. Never fails: what is no SQL is left to SQLite to refuse.
std::vector<SqlToken> tokenize_sql(std::string_view sql);

}  // namespace gpuharden
