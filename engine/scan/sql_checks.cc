// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <array>
#include <set>

#include "engine/base/text.h"
#include "engine/scan/lint.h"
#include "engine/scan/sql_tokens.h"

namespace gpuharden {
namespace {

using Tokens = std::vector<SqlToken>;
using Complaints = std::vector<SqlComplaint>;

constexpr std::size_t kMaxNamesTold = 20;

bool is_name(const SqlToken& token) {
  return token.kind == SqlToken::Kind::kWord || token.kind == SqlToken::Kind::kQuotedName;
}

std::string_view unquoted(const SqlToken& token) {
  return token.kind == SqlToken::Kind::kQuotedName ? token.text.substr(1, token.text.size() - 2) : token.text;
}

// The column of that name in one of the tables that the statement reads.
const Column* column_named(std::string_view name, const std::set<ColumnRead>& reads) {
  for (const auto& [table, column] : reads) {
    if (!equals_ignore_case(column, name)) continue;
    const Probe* probe = find_probe(table);
    for (const auto& candidate : probe->schema.columns) {
      if (candidate.name == column) return &candidate;
    }
  }
  return nullptr;
}

void check_numbers(const Tokens& tokens, Complaints& out) {
  for (const auto& token : tokens) {
    if (token.kind != SqlToken::Kind::kNumber) continue;
    const bool digits = token.text.find_first_not_of("0123456789") == std::string_view::npos;
    if (digits && token.text.size() > 1 && token.text[0] == '0') {
      out.push_back(
          {"leading-zero", token.offset, concat({token.text, " is decimal in SQL: write octal('", token.text, "')"})});
    }
    if (token.text.find('_') != std::string_view::npos) {
      out.push_back({"new-sql", token.offset, "digits with '_' need a newer SQLite than 3.37"});
    }
  }
}

void check_shape(const Tokens& tokens, Complaints& out) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    const bool group_by = token.is("group") && i + 1 < tokens.size() && tokens[i + 1].is("by");
    if (token.is("limit") || token.is("offset")) {
      out.push_back({"limit", token.offset, "LIMIT and OFFSET hide rows that may fail"});
    }
    if (group_by && token.depth == 0) {
      out.push_back(
          {"group-by", token.offset, "GROUP BY in the outermost SELECT hides rows: one row per thing examined"});
    }
    if (token.is("in") && i + 2 < tokens.size() && tokens[i + 1].is("(") && tokens[i + 2].is(")")) {
      out.push_back({"empty-list", token.offset, "IN () matches nothing"});
    }
  }
}

void check_age(const Tokens& tokens, Complaints& out) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    const bool join = (token.is("right") || token.is("full")) && i + 1 < tokens.size() &&
                      (tokens[i + 1].is("join") || tokens[i + 1].is("outer"));
    const bool distinct = token.is("distinct") && i > 0 && (tokens[i - 1].is("is") || tokens[i - 1].is("not")) &&
                          i + 1 < tokens.size() && tokens[i + 1].is("from");
    if (join || distinct || token.is("->") || token.is("->>")) {
      out.push_back({"new-sql", token.offset, concat({token.text, " here needs a newer SQLite than 3.37"})});
    }
  }
}

// a.version < '1.2', min(version), version BETWEEN …: text order is not version order.
void check_versions(const Tokens& tokens, const std::set<ColumnRead>& reads, Complaints& out) {
  static constexpr std::array<std::string_view, 4> kOrder = {"<", ">", "<=", ">="};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto* column = is_name(tokens[i]) ? column_named(unquoted(tokens[i]), reads) : nullptr;
    if (column == nullptr || column->type != ColumnType::kVersion) continue;
    // Step back over "alias ." to what stands before the name.
    std::size_t before = i;
    while (before >= 2 && tokens[before - 1].is(".")) before -= 2;
    const auto orders = [&](std::size_t at) {
      return std::any_of(kOrder.begin(), kOrder.end(), [&](std::string_view op) { return tokens[at].is(op); });
    };
    const bool compared =
        (i + 1 < tokens.size() && (orders(i + 1) || tokens[i + 1].is("between"))) || (before > 0 && orders(before - 1));
    const bool aggregated =
        before >= 2 && tokens[before - 1].is("(") && (tokens[before - 2].is("min") || tokens[before - 2].is("max"));
    if (compared || aggregated) {
      out.push_back({"version-order", tokens[i].offset,
                     concat({"\"", column->name, "\" is a version: compare it by version_lt(scheme, a, b)"})});
    }
  }
}

// The tokens between the parenthesis at `open` and its partner.
Tokens inside(const Tokens& tokens, std::size_t open) {
  Tokens out;
  for (std::size_t i = open + 1; i < tokens.size() && tokens[i].depth > tokens[open].depth; ++i)
    out.push_back(tokens[i]);
  return out;
}

bool has_is_not_null(const Tokens& tokens) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].is("is") && tokens[i + 1].is("not") && tokens[i + 2].is("null")) return true;
  }
  return false;
}

bool has_word(const Tokens& tokens, std::string_view word) {
  return std::any_of(tokens.begin(), tokens.end(), [&](const SqlToken& token) { return token.is(word); });
}

// A NULL among the values makes NOT IN true for nothing; a NULL on the left drops the row.
void check_not_in(const Tokens& tokens, const std::set<ColumnRead>& reads, Complaints& out) {
  for (std::size_t i = 1; i + 2 < tokens.size(); ++i) {
    if (!tokens[i].is("not") || !tokens[i + 1].is("in") || !tokens[i + 2].is("(")) continue;
    const auto values = inside(tokens, i + 2);
    const bool from_json = has_word(values, "json_each");
    const bool from_select = has_word(values, "select") && !from_json;
    const bool with_null = from_select ? !has_is_not_null(values) : has_word(values, "null") && !from_json;
    if (with_null) {
      out.push_back({"null-not-in", tokens[i].offset,
                     "NOT IN over values that may be NULL is never true: add IS NOT NULL, or use NOT EXISTS"});
    }
    const auto* column = is_name(tokens[i - 1]) ? column_named(unquoted(tokens[i - 1]), reads) : nullptr;
    if (column != nullptr && !column->has(ColumnFlag::kNotNull)) {
      out.push_back({"null-not-in", tokens[i - 1].offset,
                     concat({"\"", column->name, "\" may be NULL, and NULL NOT IN (…) drops the row: write coalesce(",
                             column->name, ", '')"})});
    }
  }
}

// Inside a subquery over json_each an unqualified "value" is the list's, never the outer table's.
// "value" and "key" are what json_each is asked for, and taken from no one where no table has such a column. Of its
// other columns nobody thinks: where an outer table has a column "path", json_each's is meant all the same, and the
// statement is never seen to read the table's.
bool is_json_name(const SqlToken& token, const std::set<ColumnRead>& reads) {
  if (token.is("value") || token.is("key")) return column_named(token.text, reads) != nullptr;
  constexpr std::array<std::string_view, 8> kOthers = {"type",    "atom", "id",   "parent",
                                                       "fullkey", "path", "json", "root"};
  return std::any_of(kOthers.begin(), kOthers.end(), [&](auto name) { return token.is(name); });
}

void check_json_names(const Tokens& tokens, const std::set<ColumnRead>& reads, Complaints& out) {
  std::set<std::size_t> told;  // subqueries hold each other: each place once
  for (std::size_t open = 0; open < tokens.size() && told.size() < kMaxNamesTold; ++open) {
    if (!tokens[open].is("(") || open + 1 >= tokens.size() || !tokens[open + 1].is("select")) continue;
    const auto inner = inside(tokens, open);
    if (!has_word(inner, "json_each")) continue;
    for (std::size_t i = 1; i + 1 < inner.size(); ++i) {
      const bool is_qualified = inner[i - 1].is(".") || inner[i - 1].is("as");
      const bool is_the_list = inner[i - 1].is("select") && inner[i + 1].is("from");
      if (is_qualified || is_the_list || !is_json_name(inner[i], reads)) continue;
      if (!told.insert(inner[i].offset).second) continue;
      out.push_back({"ambiguous-name", inner[i].offset,
                     concat({"\"", inner[i].text,
                             "\" is json_each's here, not the table's: write the table's alias before it"})});
    }
  }
}

}  // namespace

std::vector<SqlComplaint> check_sql(std::string_view sql, const std::set<ColumnRead>& reads) {
  const Tokens tokens = tokenize_sql(sql);
  Complaints out;
  check_numbers(tokens, out);
  check_shape(tokens, out);
  check_age(tokens, out);
  check_versions(tokens, reads, out);
  check_not_in(tokens, reads, out);
  check_json_names(tokens, reads, out);
  return out;
}

}  // namespace gpuharden
