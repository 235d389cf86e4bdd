// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/fake_source.h"

#include "engine/scan/lint.h"

namespace gpuharden::test {

std::unique_ptr<TableData> FakeSource::read(const TableRequest& request) {
  const std::string table(request.probe->schema.name);
  std::string name = table;
  for (const auto& argument : request.arguments) name += " " + argument.value;
  asked.push_back(name);
  const auto& columns = request.probe->schema.columns;
  auto data = std::make_unique<TableData>(columns.size());
  for (const auto& cells : rows_[table]) {
    std::vector<Value> row;
    for (const auto& column : columns) {
      const auto found = cells.find(column.name);
      row.push_back(found == cells.end() ? Value::null() : found->second);
    }
    data->add_row(row);
  }
  for (const auto& gap : gaps_) {
    if (gap.table == table) data->add_gap(gap);
  }
  if (failures_.contains(table)) data->set_failure(failures_[table]);
  return data;
}

Rule make_rule(std::string sql) {
  Rule rule;
  rule.id = "test.rule";
  rule.title = "A rule of a test";
  rule.message = "{subject}";
  rule.none = "nothing to examine";
  rule.place.file = "test.yaml";
  rule.queries = {{"now", std::move(sql), {"test.yaml", 1, 1}, {}}};
  return rule;
}

RuleFinding evaluate(const Rule& rule, TableSource& source) {
  Database database(source);
  auto prepared = prepare_rule(rule, database);
  database.expect(prepared.reads());
  return evaluate_rule(prepared);
}

std::vector<std::string> lint_codes(const Rule& rule) {
  FakeSource source;
  Database database(source);
  std::vector<Diagnostic> diagnostics;
  lint_rule(rule, "", database, diagnostics);
  std::vector<std::string> codes;
  for (const auto& diagnostic : diagnostics) codes.push_back(diagnostic.code);
  return codes;
}

}  // namespace gpuharden::test
