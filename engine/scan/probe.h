// SPDX-License-Identifier: GPL-2.0-or-later
// A probe reads one kind of fact from a host and never judges. Each is a table.
#pragma once

#include <any>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "engine/host/host.h"
#include "engine/model/table.h"

namespace gpuharden {

// Where a probe's rows and gaps go. One of these exists for each reading of a table.
class RowSink {
 public:
  virtual ~RowSink() = default;
  // `cells` has one value a column, in the schema's order; the text is copied.
  virtual void add_row(const std::vector<Value>& cells) = 0;
  virtual void add_gap(Gap gap) = 0;
};

// The value that a statement asks an argument column for.
struct Argument {
  std::string_view column;
  std::string value;
};

// Facts that several probes of one reader share (the merged units, the walk over /proc/PID/fd):
// computed on first use, kept while the reader lives.
class SharedFacts {
 public:
  // T must be made by make(host) and is found by its type.
  template <typename T, typename Make>
  const T& get(const Host& host, Make make) {
    auto& slot = facts_[std::type_index(typeid(T))];
    if (!slot.has_value()) slot = make(host);
    return *std::any_cast<T>(&slot);
  }

 private:
  std::unordered_map<std::type_index, std::any> facts_;
};

class Row;

// What a probe's read function gets.
class TableReader {
 public:
  TableReader(const TableSchema& schema, const Host& host, SharedFacts& shared, RowSink& sink)
      : schema_(schema), host_(host), shared_(shared), sink_(sink) {}

  const Host& host() const { return host_; }
  const Files& files() const { return host_.files(); }
  SharedFacts& shared() const { return shared_; }
  const TableSchema& schema() const { return schema_; }

  // The value asked for an argument column; empty when the table was asked without.
  std::string_view argument(std::string_view column) const;
  // Whether a statement reads this column: costly ones may be left NULL otherwise.
  bool wants(std::string_view column) const;

  // A new row; it is added when it goes out of scope.
  Row row();

  // The whole table is incomplete: nothing, or not everything, could be read.
  void gap(const Error& error) { gap("*", "*", error); }
  // `key` is the value of the table's key column; both may be "*".
  void gap(std::string_view key, std::string_view column, const Error& error);

  void set_arguments(std::vector<Argument> arguments) { arguments_ = std::move(arguments); }
  // Empty: every column is wanted.
  void set_wanted(const std::vector<std::string>& columns);

 private:
  friend class Row;
  const TableSchema& schema_;
  const Host& host_;
  SharedFacts& shared_;
  RowSink& sink_;
  struct RowParts {  // a row's memory, which the next row takes over
    std::vector<Value> cells;
    std::vector<std::string> texts;  // what the cells' views point at
  };
  std::vector<Argument> arguments_;
  std::vector<bool> wanted_;  // by column; empty: all
  RowParts spare_;
};

// One row under construction. Columns that are not set are plain NULL.
class Row {
 public:
  explicit Row(TableReader& reader);
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;
  ~Row() noexcept(false);

  // Unknown column names are bugs and throw std::logic_error.
  Row& set(std::string_view column, std::int64_t value);
  Row& set(std::string_view column, std::uint64_t value) { return set(column, static_cast<std::int64_t>(value)); }
  Row& set(std::string_view column, std::uint32_t value) { return set(column, static_cast<std::int64_t>(value)); }
  Row& set(std::string_view column, int value) { return set(column, static_cast<std::int64_t>(value)); }
  Row& set(std::string_view column, bool value) { return set(column, std::int64_t{value}); }
  Row& set(std::string_view column, std::string_view value);
  Row& set(std::string_view column, const std::string& value) { return set(column, std::string_view(value)); }
  Row& set(std::string_view column, const char* value) { return set(column, std::string_view(value)); }
  // A plain NULL when there is none.
  template <typename T>
  Row& set(std::string_view column, const std::optional<T>& value) {
    return value ? set(column, *value) : *this;
  }
  // The value, or that it could not be read.
  template <typename T>
  Row& set(std::string_view column, const Result<T>& value) {
    return value ? set(column, *value) : unread(column, value.error());
  }
  // The value could not be read: NULL, with a gap for this row's key and this column.
  Row& unread(std::string_view column, const Error& error);

 private:
  std::size_t index_of(std::string_view column);
  TableReader& reader_;
  TableReader::RowParts parts_;
  std::size_t texts_used_ = 0, next_ = 0;  // columns are looked for from `next_`: most are set in the schema's order
  std::vector<std::pair<std::size_t, Error>> unread_;
};

// A table and how to fill it. checks/<area>/<name>_probe.cc defines `Probe <name>_probe()`.
struct Probe {
  TableSchema schema;
  void (*read)(TableReader& out) = nullptr;
};

// Whether the table must be given an argument: files('/etc/*').
bool needs_argument(const TableSchema& schema);

// What a failed look at /proc or /sys means: an image cannot hold the kernel's answers, so there
// "not found" becomes kNotHeld.
Error kernel_fact_error(const Host& host, Error error);

// Every probe of checks/, sorted by table name; made by the build.
const std::vector<Probe>& all_probes();
// nullptr when there is no such table.
const Probe* find_probe(std::string_view table);

}  // namespace gpuharden
