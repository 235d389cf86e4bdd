// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/virtual_table.h"

#include <sqlite3.h>

#include <cstring>
#include <memory>
#include <optional>
#include <span>

#include "engine/base/text.h"

namespace gpuharden {

// What a table of the database is made from; owned by SQLite.
struct TableModule {
  const Probe* probe;
  Database* database;
};

struct VirtualTable : sqlite3_vtab {
  const TableModule* module = nullptr;

  static const TableData& load(const TableModule& module, const std::vector<Argument>& arguments,
                               Database::Scan*& scan) {
    scan = &module.database->scan_of(*module.probe, arguments);
    return *scan->data;
  }
};

struct Cursor : sqlite3_vtab_cursor {
  const TableData* data = nullptr;
  std::optional<std::span<const std::uint32_t>> chosen;  // row numbers, or all rows
  std::size_t at = 0;
  std::vector<std::string> arguments;  // by column, for what the table was asked

  using Scan = Database::Scan;
  std::size_t end() const { return chosen ? chosen->size() : data->row_count(); }
  std::size_t row() const { return chosen ? (*chosen)[at] : at; }
};

namespace {

std::string declaration(const TableSchema& schema) {
  std::string sql = "CREATE TABLE t(";
  for (const auto& column : schema.columns) {
    const bool number =
        column.type == ColumnType::kInteger || column.type == ColumnType::kBoolean || column.type == ColumnType::kMode;
    if (&column != &schema.columns.front()) sql += ", ";
    sql += concat(
        {"\"", column.name, "\" ", number ? "INTEGER" : "TEXT", column.has(ColumnFlag::kArgument) ? " HIDDEN" : ""});
  }
  return sql + ")";
}

int connect(sqlite3* handle, void* auxiliary, int, const char* const*, sqlite3_vtab** out, char** message) {
  const auto* module = static_cast<const TableModule*>(auxiliary);
  const int code = sqlite3_declare_vtab(handle, declaration(module->probe->schema).c_str());
  if (code != SQLITE_OK) {
    *message = sqlite3_mprintf("%s", sqlite3_errmsg(handle));
    return code;
  }
  auto table = std::make_unique<VirtualTable>();
  table->module = module;
  *out = table.release();
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
  delete static_cast<VirtualTable*>(table);
  return SQLITE_OK;
}

// Whether every argument column is bound by a usable equality; SQLITE_CONSTRAINT asks the planner
// for another order.
int check_arguments(const TableSchema& schema, const sqlite3_index_info& info, sqlite3_vtab* table) {
  for (std::size_t column = 0; column < schema.columns.size(); ++column) {
    if (!schema.columns[column].has(ColumnFlag::kArgument)) continue;
    bool given = false;
    bool usable = false;
    for (int i = 0; i < info.nConstraint; ++i) {
      const auto& constraint = info.aConstraint[i];
      if (constraint.iColumn != static_cast<int>(column) || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
      given = true;
      usable = usable || constraint.usable != 0;
    }
    if (!given) {
      sqlite3_free(table->zErrMsg);
      table->zErrMsg = sqlite3_mprintf("table %s needs its argument %s", std::string(schema.name).c_str(),
                                       std::string(schema.columns[column].name).c_str());
      return SQLITE_ERROR;
    }
    if (!usable) return SQLITE_CONSTRAINT;
  }
  return SQLITE_OK;
}

// Every usable equality is passed on: idxStr holds the column numbers in the order of argv.
int best_index(sqlite3_vtab* raw, sqlite3_index_info* info) {
  const auto& schema = static_cast<VirtualTable*>(raw)->module->probe->schema;
  const int code = check_arguments(schema, *info, raw);
  if (code != SQLITE_OK) return code;
  std::string columns;
  int argument = 0;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    const bool equality =
        constraint.op == SQLITE_INDEX_CONSTRAINT_EQ && constraint.usable != 0 && constraint.iColumn >= 0;
    if (!equality || std::strcmp(sqlite3_vtab_collation(info, i), "BINARY") != 0) continue;
    info->aConstraintUsage[i].argvIndex = ++argument;
    columns += std::to_string(constraint.iColumn) + ",";
  }
  info->idxStr = sqlite3_mprintf("%s", columns.c_str());
  info->needToFreeIdxStr = 1;
  info->estimatedCost = argument > 0 ? 10 : 10000;
  info->estimatedRows = argument > 0 ? 5 : 10000;
  return SQLITE_OK;
}

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  *out = new Cursor();  // NOLINT: SQLite owns it
  return SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

std::string text_of(sqlite3_value* value) {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

// An equality can use the index, and narrows the key, only where SQLite's comparison of these two
// types is byte equality.
bool is_exact(const Column& column, sqlite3_value* value) {
  const bool number =
      column.type == ColumnType::kInteger || column.type == ColumnType::kBoolean || column.type == ColumnType::kMode;
  return sqlite3_value_type(value) == (number ? SQLITE_INTEGER : SQLITE_TEXT);
}

struct Equality {
  std::size_t column;
  sqlite3_value* value;
};

std::vector<Equality> equalities(const char* columns, sqlite3_value** values) {
  std::vector<Equality> out;
  for (const auto text : split(columns == nullptr ? "" : columns, ',')) {
    const auto column = parse_unsigned(text);
    if (column) out.push_back({static_cast<std::size_t>(*column), values[out.size()]});
  }
  return out;
}

int filter(sqlite3_vtab_cursor* raw, int, const char* columns, int, sqlite3_value** values) {
  auto& cursor = *static_cast<Cursor*>(raw);
  const auto& module = *static_cast<VirtualTable*>(raw->pVtab)->module;
  const auto schema = module.probe->schema.columns;
  std::vector<Argument> arguments;
  cursor.arguments.assign(schema.size(), "");
  const auto given = equalities(columns, values);
  for (const auto& [column, value] : given) {
    if (!schema[column].has(ColumnFlag::kArgument)) continue;
    cursor.arguments[column] = text_of(value);
    arguments.push_back({schema[column].name, cursor.arguments[column]});
  }
  Cursor::Scan* scan = nullptr;
  cursor.data = &VirtualTable::load(module, arguments, scan);
  cursor.chosen.reset();
  cursor.at = 0;
  bool narrowed = false;
  for (const auto& [column, value] : given) {
    if (schema[column].has(ColumnFlag::kArgument) || !is_exact(schema[column], value)) continue;
    const std::string text = text_of(value);
    if (!cursor.chosen) cursor.chosen = cursor.data->rows_where(column, Value::of(std::string_view(text)));
    if (schema[column].has(ColumnFlag::kKey)) {
      scan->keys.insert(text);
      narrowed = true;
    }
  }
  scan->whole = scan->whole || !narrowed;
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* cursor) {
  ++static_cast<Cursor*>(cursor)->at;
  return SQLITE_OK;
}

int at_end(sqlite3_vtab_cursor* raw) {
  const auto& cursor = *static_cast<Cursor*>(raw);
  return cursor.at >= cursor.end() ? 1 : 0;
}

void result_text(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data() == nullptr ? "" : text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

int column_value(sqlite3_vtab_cursor* raw, sqlite3_context* context, int index) {
  const auto& cursor = *static_cast<Cursor*>(raw);
  const auto column = static_cast<std::size_t>(index);
  const auto& schema = static_cast<VirtualTable*>(raw->pVtab)->module->probe->schema.columns;
  if (schema[column].has(ColumnFlag::kArgument)) {
    const auto& text = cursor.arguments[column];
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    return SQLITE_OK;
  }
  const Value& value = cursor.data->cell(cursor.row(), column);
  if (value.kind == ValueKind::kInteger) sqlite3_result_int64(context, value.integer);
  if (value.kind == ValueKind::kText) result_text(context, value.text);
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* raw, sqlite3_int64* id) {
  *id = static_cast<sqlite3_int64>(static_cast<Cursor*>(raw)->row());
  return SQLITE_OK;
}

sqlite3_module make_module() {
  sqlite3_module module{};
  module.xConnect = &connect;  // no xCreate: the tables are eponymous
  module.xBestIndex = &best_index;
  module.xDisconnect = &disconnect;
  module.xOpen = &open_cursor;
  module.xClose = &close_cursor;
  module.xFilter = &filter;
  module.xNext = &next;
  module.xEof = &at_end;
  module.xColumn = &column_value;
  module.xRowid = &row_id;
  return module;
}

void delete_module(void* module) { delete static_cast<TableModule*>(module); }

}  // namespace

void register_tables(sqlite3* handle, Database& database) {
  static const sqlite3_module kModule = make_module();
  for (const auto& probe : all_probes()) {
    auto module = std::make_unique<TableModule>(TableModule{&probe, &database});
    const std::string name(probe.schema.name);
    const int code = sqlite3_create_module_v2(handle, name.c_str(), &kModule, module.release(), &delete_module);
    GH_CHECK(code == SQLITE_OK);
  }
}

}  // namespace gpuharden
