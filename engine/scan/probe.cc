// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/probe.h"

#include <algorithm>
#include <exception>
#include <unordered_map>

namespace gpuharden {

std::string_view TableReader::argument(std::string_view column) const {
  for (const auto& argument : arguments_) {
    if (argument.column == column) return argument.value;
  }
  return {};
}

bool TableReader::wants(std::string_view column) const {
  return wanted_.empty() || std::find(wanted_.begin(), wanted_.end(), column) != wanted_.end();
}

Row TableReader::row() { return Row(*this); }

void TableReader::gap(std::string_view key, std::string_view column, const Error& error) {
  sink_.add_gap({std::string(schema_.name), std::string(key), std::string(column), error.code, error.message});
}

Row::Row(TableReader& reader) : reader_(reader), cells_(reader.schema().columns.size()) {
  texts_.reserve(cells_.size());  // views into the strings must not move
}

std::size_t Row::index_of(std::string_view column) const {
  const auto columns = reader_.schema().columns;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == column) return i;
  }
  throw std::logic_error("table " + std::string(reader_.schema().name) + " has no column " + std::string(column));
}

Row& Row::set(std::string_view column, std::int64_t value) {
  cells_[index_of(column)] = Value::of(value);
  return *this;
}

Row& Row::set(std::string_view column, std::string_view value) {
  const auto index = index_of(column);
  GH_CHECK(texts_.size() < texts_.capacity());  // a column is set once
  texts_.emplace_back(value);
  cells_[index] = Value::of(std::string_view(texts_.back()));
  return *this;
}

Row& Row::unread(std::string_view column, const Error& error) {
  const auto index = index_of(column);
  cells_[index].kind = ValueKind::kUnread;
  unread_.emplace_back(index, error);
  return *this;
}

Row::~Row() noexcept(false) {
  if (std::uncaught_exceptions() > 0) return;
  const auto columns = reader_.schema().columns;
  std::string key = "*";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].has(ColumnFlag::kKey) || cells_[i].is_null()) continue;
    key = cells_[i].kind == ValueKind::kInteger ? std::to_string(cells_[i].integer) : std::string(cells_[i].text);
  }
  for (const auto& [index, error] : unread_) reader_.gap(key, columns[index].name, error);
  reader_.sink_.add_row(cells_);
}

bool needs_argument(const TableSchema& schema) {
  return std::any_of(schema.columns.begin(), schema.columns.end(),
                     [](const Column& column) { return column.has(ColumnFlag::kArgument); });
}

Error kernel_fact_error(const Host& host, Error error) {
  if (host.kind() == HostKind::kImage && error.code == ErrorCode::kNotFound) error.code = ErrorCode::kNotHeld;
  return error;
}

const Probe* find_probe(std::string_view table) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, const Probe*> by_name;
    for (const auto& probe : all_probes()) by_name.emplace(probe.schema.name, &probe);
    return by_name;
  }();
  const auto found = kByName.find(table);
  return found == kByName.end() ? nullptr : found->second;
}

}  // namespace gpuharden
