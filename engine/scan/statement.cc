// SPDX-License-Identifier: GPL-2.0-or-later
// A prepared statement, and the account of what it read.
#include <sqlite3.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/scan/database.h"

namespace gpuharden {

Statement::Statement(Database& database, sqlite3_stmt* raw)
    : database_(&database), raw_(raw), reads_(std::move(database.reads_)) {
  for (int i = 0; i < sqlite3_column_count(raw_); ++i) columns_.emplace_back(sqlite3_column_name(raw_, i));
  for (int i = 1; i <= sqlite3_bind_parameter_count(raw_); ++i) {
    const char* name = sqlite3_bind_parameter_name(raw_, i);
    parameters_.emplace_back(name == nullptr ? "" : name + 1);
  }
}

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_),
      raw_(std::exchange(other.raw_, nullptr)),
      columns_(std::move(other.columns_)),
      parameters_(std::move(other.parameters_)),
      reads_(std::move(other.reads_)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
  std::swap(database_, other.database_);
  std::swap(raw_, other.raw_);
  std::swap(columns_, other.columns_);
  std::swap(parameters_, other.parameters_);
  std::swap(reads_, other.reads_);
  return *this;
}

Statement::~Statement() { sqlite3_finalize(raw_); }

void Statement::bind(std::string_view parameter, const ParamValue& value) {
  const int index = sqlite3_bind_parameter_index(raw_, concat({":", parameter}).c_str());
  if (index == 0) return;
  std::string text;
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    sqlite3_bind_int64(raw_, index, *number);
    return;
  }
  if (const auto* scalar = std::get_if<std::string>(&value)) text = *scalar;
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    text = nlohmann::json(*list).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  if (std::holds_alternative<std::monostate>(value)) {
    sqlite3_bind_null(raw_, index);
  } else {
    sqlite3_bind_text64(raw_, index, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
}

Result<bool> Statement::step() {
  if (sqlite3_stmt_busy(raw_) == 0) {
    database_->scans_.clear();
    database_->steps_ = 0;
  }
  const int code = sqlite3_step(raw_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  if (code == SQLITE_INTERRUPT) return Error{ErrorCode::kTooLarge, "the statement took too many steps and was cut off"};
  return Error{ErrorCode::kLibrary, concat({"SQLite: ", sqlite3_errmsg(database_->handle_)})};
}

SqlValue Statement::value(std::size_t column) const {
  const int index = static_cast<int>(column);
  SqlValue out;
  switch (sqlite3_column_type(raw_, index)) {
    case SQLITE_NULL: return out;
    case SQLITE_INTEGER:
      out.kind = SqlValue::Kind::kInteger;
      out.integer = sqlite3_column_int64(raw_, index);
      return out;
    case SQLITE_FLOAT:
      out.kind = SqlValue::Kind::kReal;
      out.real = sqlite3_column_double(raw_, index);
      return out;
    default:
      out.kind = SqlValue::Kind::kText;
      const auto* bytes = static_cast<const char*>(sqlite3_column_blob(raw_, index));
      out.text = {bytes == nullptr ? "" : bytes, static_cast<std::size_t>(sqlite3_column_bytes(raw_, index))};
      return out;
  }
}

namespace {

bool is_read(const std::set<ColumnRead>& reads, const Gap& gap) {
  return gap.column == "*" || reads.contains({gap.table, gap.column});
}

}  // namespace

std::vector<const Gap*> Statement::counting_gaps() const {
  std::vector<const Gap*> counting;
  std::set<std::string_view> tables;
  for (const auto& read : reads_) tables.insert(read.first);
  for (const auto& table : tables) {
    const Probe* probe = find_probe(table);
    bool scanned = false;
    for (const auto& [key, scan] : database_->scans_) {
      if (std::string_view(*key).substr(0, key->find('\0')) != table) continue;
      scanned = true;
      for (const auto& gap : scan.data->gaps()) {
        const bool excluded = !scan.whole && gap.key != "*" && !scan.keys.contains(gap.key);
        if (!excluded && is_read(reads_, gap)) counting.push_back(&gap);
      }
    }
    // Named but never scanned: nothing was excluded, so everything counts.
    if (scanned || needs_argument(probe->schema)) continue;
    for (const auto& gap : database_->load(*probe, {}).gaps()) {
      if (is_read(reads_, gap)) counting.push_back(&gap);
    }
  }
  return counting;
}

std::vector<std::string> Statement::failures() const {
  std::vector<std::string> sentences;
  for (const auto& [key, scan] : database_->scans_) {
    if (!scan.data->failure().empty()) sentences.push_back(scan.data->failure());
  }
  return sentences;
}

}  // namespace gpuharden
