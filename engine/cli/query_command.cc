// SPDX-License-Identifier: GPL-2.0-or-later
// tables and query: the facts without a verdict.
#include <CLI/CLI.hpp>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/cli/command.h"
#include "engine/gpu/gpu_source.h"
#include "engine/scan/database.h"
#include "engine/scan/floor_source.h"

namespace gpuharden {
namespace {

std::string_view type_word(ColumnType type) {
  static constexpr std::array<std::string_view, 6> kWords = {"text", "integer", "boolean", "path", "version", "mode"};
  return kWords.at(static_cast<std::size_t>(type));
}

std::string describe(const TableSchema& schema) {
  std::string out = concat({schema.name, schema.cost == TableCost::kDeep ? " (deep)" : "", "\n  ", schema.doc, "\n\n"});
  for (const auto& column : schema.columns) {
    out += concat({"  ", column.name, "  (", column_type_words(column), ")\n      ", column.doc, "\n"});
  }
  return out;
}

int run_tables(const std::string& name) {
  std::vector<std::string> names;
  std::string out;
  for (const auto& probe : all_probes()) {
    names.emplace_back(probe.schema.name);
    if (name.empty()) out += concat({probe.schema.name, "\n  ", probe.schema.doc, "\n"});
    if (name == probe.schema.name) out = describe(probe.schema);
  }
  if (!out.empty()) return print(out) ? kExitOk : kExitNoVerdict;
  complain(concat({"there is no table \"", name, "\"", did_you_mean(name, names)}));
  return kExitUsage;
}

nlohmann::ordered_json json_of(const SqlValue& value) {
  switch (value.kind) {
    case SqlValue::Kind::kNull: return nullptr;
    case SqlValue::Kind::kInteger: return value.integer;
    case SqlValue::Kind::kReal: return value.real;
    case SqlValue::Kind::kText: return replace_invalid_utf8(value.text);
  }
  return nullptr;
}

std::string text_of(const SqlValue& value) {
  switch (value.kind) {
    case SqlValue::Kind::kNull: return "NULL";
    case SqlValue::Kind::kInteger: return std::to_string(value.integer);
    case SqlValue::Kind::kReal: return std::to_string(value.real);
    case SqlValue::Kind::kText: return escape_for_terminal(value.text);
  }
  return {};
}

struct Rows {
  std::string text;
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
};

Result<Rows> run_statement(Statement& statement) {
  Rows rows;
  rows.text = join(statement.columns(), "\t") + "\n";
  for (;;) {
    GH_ASSIGN_OR_RETURN(const bool more, statement.step());
    if (!more) return rows;
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < statement.columns().size(); ++i) {
      object[statement.columns()[i]] = json_of(statement.value(i));
      rows.text += text_of(statement.value(i)) + (i + 1 == statement.columns().size() ? "\n" : "\t");
    }
    rows.json.push_back(std::move(object));
  }
}

bool reads_table(const std::set<ColumnRead>& reads, std::string_view table) {
  return std::any_of(reads.begin(), reads.end(), [&](const ColumnRead& read) { return read.first == table; });
}

// 0 with complete rows, 1 when something that the statement reads could not be read.
int run_query(const HostOptions& host, const std::string& sql, const std::string& format) {
  if (format != "text" && format != "json") {
    complain("--format is text or json");
    return kExitUsage;
  }
  auto source = launch_readers(host, false);
  const auto ready = source ? (*source)->greet() : Status(source.error());
  if (!ready) {
    complain(ready.error().message);
    return kExitNoVerdict;
  }
  GpuSource with_gpus(**source, quick_gpu_run(host));
  FloorSource tables(with_gpus);
  Database database(tables);
  auto statement = database.prepare(sql);
  if (!statement) {
    complain(statement.error().message);
    return kExitUsage;
  }
  Catalog catalog;
  if (reads_table(statement->reads(), "floors")) {
    auto loaded = load_catalog_or_complain({});
    if (!loaded) return kExitNoVerdict;
    catalog = std::move(*loaded);
    tables.use(catalog.floors, kDefaultFloorsMaxAge);
  }
  database.expect(statement->reads());
  const auto rows = run_statement(*statement);
  if (!rows) {
    complain(rows.error().message);
    return kExitNoVerdict;
  }
  if (!print(format == "json" ? rows->json.dump(2) + "\n" : rows->text)) return kExitNoVerdict;
  const auto gaps = statement->counting_gaps();
  for (const auto* gap : gaps) complain(concat({"not read: ", escape_for_terminal(gap->sentence)}));
  const auto failures = statement->failures();
  for (const auto& failure : failures) complain(escape_for_terminal(failure));
  return gaps.empty() && failures.empty() ? kExitOk : kExitNoVerdict;
}

}  // namespace

std::string column_type_words(const Column& column) {
  std::string out(type_word(column.type));
  if (column.has(ColumnFlag::kKey)) out += ", key";
  if (column.has(ColumnFlag::kArgument)) out += ", argument";
  if (column.has(ColumnFlag::kSecret)) out += ", secret";
  if (column.has(ColumnFlag::kNotNull)) out += ", never NULL";
  return out;
}

void add_tables_command(CLI::App& app, Runner& run) {
  auto name = std::make_shared<std::string>();
  auto* sub = app.add_subcommand("tables", "The tables that rules and queries read");
  sub->add_option("name", *name, "One table, with its columns");
  sub->callback([name, &run] { run = [name] { return run_tables(*name); }; });
}

void add_query_command(CLI::App& app, Runner& run) {
  auto host = std::make_shared<HostOptions>();
  auto sql = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("text");
  auto* sub = app.add_subcommand("query", "Run one SELECT over the tables");
  sub->add_option("sql", *sql, "The statement")->required();
  sub->add_option("-f,--format", *format, "text (tab-separated) or json")->capture_default_str();
  add_host_options(*sub, *host);
  sub->callback([host, sql, format, &run] { run = [host, sql, format] { return run_query(*host, *sql, *format); }; });
}

}  // namespace gpuharden
