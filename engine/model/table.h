// SPDX-License-Identifier: GPL-2.0-or-later
// What a probe promises (columns) and what it delivers (values, gaps). Plain data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

// There are two NULLs. kNull: there is no such value. kUnread: it could not be read; a gap
// stands beside it, so that no rule can turn it green.
enum class ValueKind : std::uint8_t { kNull, kUnread, kInteger, kText };

struct Value {
  ValueKind kind = ValueKind::kNull;
  std::int64_t integer = 0;
  std::string_view text;  // of the one who made the value; see TableData for how long it lives

  static Value null() { return {}; }
  static Value of(std::int64_t number) { return {ValueKind::kInteger, number, {}}; }
  static Value of(std::string_view bytes) { return {ValueKind::kText, 0, bytes}; }
  bool is_null() const { return kind == ValueKind::kNull || kind == ValueKind::kUnread; }
  bool operator==(const Value&) const = default;
};

enum class ColumnType : std::uint8_t {
  kText,
  kInteger,
  kBoolean,  // 0 or 1
  kPath,     // absolute, inside the audited root
  kVersion,  // never compared by < or >: rules use version_lt()
  kMode,     // permission bits as a number; rules use octal() or mode_allows()
};

enum class ColumnFlag : std::uint8_t {
  kNone = 0,
  kKey = 1,       // gaps name a row by this column's value
  kArgument = 2,  // must be given by an equality: files('/etc/*') or WHERE glob = '/etc/*'
  kSecret = 4,    // shown as a salted digest by every writer
  kNotNull = 8,   // never a plain NULL
};
constexpr unsigned operator|(ColumnFlag a, ColumnFlag b) { return static_cast<unsigned>(a) | static_cast<unsigned>(b); }

// One documented column. `doc` says meaning, unit and source; it becomes user documentation.
struct Column {
  std::string_view name;
  ColumnType type = ColumnType::kText;
  std::string_view doc;
  unsigned flags = 0;

  constexpr Column(std::string_view column_name, ColumnType column_type, std::string_view column_doc,
                   unsigned column_flags = 0)
      : name(column_name), type(column_type), doc(column_doc), flags(column_flags) {}
  constexpr Column(std::string_view column_name, ColumnType column_type, std::string_view column_doc, ColumnFlag flag)
      : Column(column_name, column_type, column_doc, static_cast<unsigned>(flag)) {}
  constexpr bool has(ColumnFlag flag) const { return (flags & static_cast<unsigned>(flag)) != 0; }
};

// fast: part of every audit. deep: hashes, opens archives or reads module bodies; only on request.
enum class TableCost : std::uint8_t { kFast, kDeep };

// Tables of one lane share facts and are read by one reader; lanes are read side by side.
enum class TableLane : std::uint8_t {
  kGeneral,
  kServices,   // what rests on the merged units and on people's start-up files
  kProcesses,  // what rests on /proc/PID
};
constexpr std::size_t kTableLanes = 3;

// When the facts of a table hold; rules say the horizon, this is documentation.
struct TableSchema {
  std::string_view name;
  std::string_view doc;  // one or two sentences: what a row is, and from where it is read
  std::span<const Column> columns;
  TableCost cost = TableCost::kFast;
  TableLane lane = TableLane::kGeneral;
};

// Something that could not be read. Counts against every statement that reads the table and the
// column, unless the statement's scan excluded the key.
struct Gap {
  std::string table;
  std::string key = "*";     // value of the table's key column, or "*" for any
  std::string column = "*";  // one column, or "*"
  ErrorCode cause = ErrorCode::kIo;
  std::string sentence;  // "reading /home/alice/.bashrc: on nfs4 and was not entered"
  bool operator==(const Gap&) const = default;
};

}  // namespace gpuharden
