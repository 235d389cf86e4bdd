// SPDX-License-Identifier: GPL-2.0-or-later
// SQLite over probe tables: statements that can only look, and an account of what they looked at.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/rule.h"
#include "engine/scan/table_source.h"

struct sqlite3;
struct sqlite3_stmt;

namespace gpuharden {

// (table, column), by the names in the probe's schema, which live as long as the program; column "" means
// that rows are only counted.
using ColumnRead = std::pair<std::string_view, std::string_view>;

// By the names of the schema, whatever the given word's lifetime; a column that it does not have only counts rows.
ColumnRead column_read(const Probe& probe, std::string_view column);

// A result cell; text lives until the next row.
struct SqlValue {
  enum class Kind { kNull, kInteger, kReal, kText };
  Kind kind = Kind::kNull;
  std::int64_t integer = 0;
  double real = 0;
  std::string_view text;
};

class Database;

// One prepared SELECT.
class Statement {
 public:
  Statement(Statement&&) noexcept;
  Statement& operator=(Statement&&) noexcept;
  ~Statement();

  const std::vector<std::string>& columns() const { return columns_; }
  const std::set<ColumnRead>& reads() const { return reads_; }
  const std::vector<std::string>& parameters() const { return parameters_; }  // without ':'
  void bind(std::string_view parameter, const ParamValue& value);

  // True with a row, false at the end. An error when the statement was cut off: too many steps,
  // too much memory, or a table that failed half-way.
  Result<bool> step();
  SqlValue value(std::size_t column) const;

  // After the last step: the gaps that count against what this statement read. Tables that it
  // names and never came to scan count whole. Good until the next statement runs or a table is forgotten.
  std::vector<const Gap*> counting_gaps() const;
  // Sentences of tables that failed half-way.
  std::vector<std::string> failures() const;

 private:
  friend class Database;
  Statement(Database& database, sqlite3_stmt* raw);
  Database* database_;
  sqlite3_stmt* raw_;
  std::vector<std::string> columns_;
  std::vector<std::string> parameters_;
  std::set<ColumnRead> reads_;
};

class Database {
 public:
  // `source` must live as long as the database.
  explicit Database(TableSource& source);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  // kMalformed with SQLite's own sentence, or ours where it says more.
  Result<Statement> prepare(std::string_view sql);
  // Byte offset into the SQL of the last prepare() error, or npos.
  std::size_t error_offset() const { return error_offset_; }

  // Statements with these columns will run: tables without arguments are asked for once, with the
  // union of the columns. What was read with fewer of them is forgotten; no statement may be running.
  void expect(const std::set<ColumnRead>& reads);
  // Whether all of them have been told to expect().
  bool expects(const std::set<ColumnRead>& reads) const;
  // Lets go of what was read of a table; a statement that asks for it later makes it be read again. None may be
  // running.
  void forget(std::string_view table);
  // The wait for what is expected: see TableSource.
  std::vector<const Probe*> wait() { return source_.wait(); }

 private:
  friend class Statement;
  friend struct VirtualTable;
  friend struct Cursor;

  struct Scan {
    const TableData* data = nullptr;
    bool whole = false;          // some scan had no constraint on the key
    std::set<std::string> keys;  // what the others asked the key column for
  };
  struct ByText {
    bool operator()(const std::string* a, const std::string* b) const { return *a < *b; }
  };
  // By the table's name and its arguments, with NUL between them.
  using LoadedTables = std::map<std::string, std::unique_ptr<TableData>, std::less<>>;

  TableRequest request_for(const Probe& probe, std::vector<Argument> arguments) const;
  const TableData& load(const Probe& probe, const std::vector<Argument>& arguments);
  LoadedTables::value_type& loaded_entry(const Probe& probe, const std::vector<Argument>& arguments);
  Scan& scan_of(const Probe& probe, const std::vector<Argument>& arguments);
  static std::string cache_key(const Probe& probe, const std::vector<Argument>& arguments);
  static int authorize(void* self, int action, const char* first, const char* second, const char*, const char*);
  static int progress(void* self);
  void connect_tables();

  TableSource& source_;
  sqlite3* handle_ = nullptr;
  bool armed_ = false;
  std::set<ColumnRead> reads_;  // of the statement being prepared
  std::string refusal_;         // why the authorizer said no
  std::size_t error_offset_ = std::string_view::npos;
  std::uint64_t steps_ = 0;
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> wanted_;  // table -> columns
  LoadedTables loaded_;
  std::map<const std::string*, Scan, ByText> scans_;  // of the running statement; by the keys of loaded_
};

}  // namespace gpuharden
