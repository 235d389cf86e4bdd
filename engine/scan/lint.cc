// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/lint.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "engine/scan/message.h"
#include "engine/scan/sql_tokens.h"

namespace gpuharden {
namespace {

// A query's offsets as places in its file.
class QueryPlace {
 public:
  QueryPlace(const Query& query, FileDiagnostics& out) : query_(query), out_(out) {}

  void add(std::string_view code, std::size_t offset, std::string sentence) {
    const auto before = std::string_view(query_.sql).substr(0, std::min(offset, query_.sql.size()));
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const auto newline = before.rfind('\n');
    const auto column = newline == std::string_view::npos ? before.size() : before.size() - newline - 1;
    out_.add(code, query_.place.line + line, query_.place.column + column, std::move(sentence));
  }

 private:
  const Query& query_;
  FileDiagnostics& out_;
};

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const auto& probe : all_probes()) names.emplace_back(probe.schema.name);
  return names;
}

std::vector<std::string> column_names(std::string_view sql) {
  std::vector<std::string> names;
  for (const auto& token : tokenize_sql(sql)) {
    const Probe* probe = find_probe(token.text);
    if (probe == nullptr) continue;
    for (const auto& column : probe->schema.columns) names.emplace_back(column.name);
  }
  return names;
}

// SQLite's sentence with a suggestion, and a code of ours.
void add_prepare_error(const Query& query, const Error& error, std::size_t offset, QueryPlace& place) {
  constexpr std::string_view kColumn = "no such column: ";
  constexpr std::string_view kTable = "no such table: ";
  const std::string_view sentence = error.message;
  std::string_view word;
  std::string code = "sql";
  std::string suggestion;
  if (sentence.starts_with(kColumn)) {
    word = sentence.substr(kColumn.size());
    code = "unknown-column";
    suggestion = did_you_mean(word.substr(word.rfind('.') == std::string_view::npos ? 0 : word.rfind('.') + 1),
                              column_names(query.sql));
  } else if (sentence.starts_with(kTable)) {
    word = sentence.substr(kTable.size());
    code = "unknown-table";
    suggestion = did_you_mean(word, table_names());
  }
  if (offset == std::string_view::npos) offset = word.empty() ? 0 : query.sql.find(word);
  place.add(code, offset == std::string_view::npos ? 0 : offset, concat({sentence, suggestion}));
}

void check_result_columns(const Statement& statement, QueryPlace& place) {
  const auto& columns = statement.columns();
  for (const auto* needed : {"subject", "ok"}) {
    if (std::count(columns.begin(), columns.end(), needed) == 0) {
      place.add("missing-column", 0, concat({"the query gives no column \"", needed, "\""}));
    }
  }
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    if (std::find(columns.begin(), column, *column) != column) {
      place.add("duplicate-column", 0, concat({"two result columns are called \"", *column, "\""}));
    }
  }
}

// Anything that looks at what is not there must say what its fail rests on.
void check_fails_by(const Rule& rule, const Query& query, QueryPlace& place) {
  if (rule.fails_by_given) return;
  static constexpr std::array<std::string_view, 8> kAbsence = {"exists", "count", "sum",          "total",
                                                               "max",    "min",   "group_concat", "left"};
  for (const auto& token : tokenize_sql(query.sql)) {
    const bool absence =
        std::any_of(kAbsence.begin(), kAbsence.end(), [&](std::string_view word) { return token.is(word); });
    if (!absence) continue;
    place.add(
        "fails-by", token.offset,
        concat({"with ", token.text, " a fail may rest on something not seen: say fails_by: absence, or presence"}));
    return;
  }
}

void check_placeholders(const Rule& rule, const std::set<std::string>& columns, FileDiagnostics& out) {
  std::vector<std::string> texts = {rule.message};
  for (const auto& [name, text] : rule.fix.args) texts.push_back(text);
  const std::vector<std::string> known(columns.begin(), columns.end());
  for (const auto& text : texts) {
    for (const auto& name : placeholders(text)) {
      if (!columns.contains(name)) {
        out.add("unknown-placeholder", 1, 1, concat({"{", name, "} is no result column", did_you_mean(name, known)}));
      }
    }
  }
  for (const auto& name : rule.key) {
    if (!columns.contains(name))
      out.add("unknown-placeholder", 1, 1,
              concat({"key \"", name, "\" is no result column", did_you_mean(name, known)}));
  }
}

void check_params(const Rule& rule, const std::set<std::string>& used, FileDiagnostics& out) {
  std::vector<std::string> declared;
  for (const auto& param : rule.params) declared.push_back(param.name);
  for (const auto& name : used) {
    if (std::find(declared.begin(), declared.end(), name) == declared.end()) {
      out.add("unknown-parameter", 1, 1,
              concat({":", name, " is not declared in params", did_you_mean(name, declared)}));
    }
  }
  for (const auto& param : rule.params) {
    if (!used.contains(param.name)) {
      out.add("unused-parameter", param.place.line, param.place.column,
              concat({"parameter \"", param.name, "\" is not used by a query"}));
    }
  }
}

}  // namespace

void lint_rule(const Rule& rule, std::string_view text, Database& database, std::vector<Diagnostic>& diagnostics) {
  FileDiagnostics out(rule.place.file, text, diagnostics);
  std::set<std::string> parameters;
  std::set<std::string> columns;
  for (const auto& query : rule.queries) {
    QueryPlace place(query, out);
    auto statement = database.prepare(query.sql);
    if (!statement) {
      add_prepare_error(query, statement.error(), database.error_offset(), place);
      for (const auto& complaint : check_sql(query.sql, {}))
        place.add(complaint.code, complaint.offset, complaint.sentence);
      continue;
    }
    parameters.insert(statement->parameters().begin(), statement->parameters().end());
    std::set<std::string> own(statement->columns().begin(), statement->columns().end());
    // A placeholder must be there in every horizon.
    if (columns.empty()) {
      columns = own;
    } else {
      std::erase_if(columns, [&](const std::string& name) { return !own.contains(name); });
    }
    check_result_columns(*statement, place);
    check_fails_by(rule, query, place);
    for (const auto& complaint : check_sql(query.sql, statement->reads()))
      place.add(complaint.code, complaint.offset, complaint.sentence);
  }
  if (!out.clean()) return;
  check_params(rule, parameters, out);
  check_placeholders(rule, columns, out);
}

void lint_floor_names(const Rule& rule, std::string_view text, const std::vector<FloorFile>& floors,
                      std::vector<Diagnostic>& diagnostics) {
  FileDiagnostics out(rule.place.file, text, diagnostics);
  std::vector<std::string> known;
  for (const auto& file : floors) known.push_back(file.component);
  for (const auto& query : rule.queries) {
    QueryPlace place(query, out);
    const auto tokens = tokenize_sql(query.sql);
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
      if (!tokens[i].is("floors") || !tokens[i + 1].is("(") || tokens[i + 2].kind != SqlToken::Kind::kString) continue;
      const std::string name(tokens[i + 2].text.substr(1, tokens[i + 2].text.size() - 2));
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      place.add("unknown-floors", tokens[i + 2].offset,
                concat({"there are no floors of \"", name, "\"", did_you_mean(name, known)}));
    }
  }
}

}  // namespace gpuharden
