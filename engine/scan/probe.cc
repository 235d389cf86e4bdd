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

void TableReader::set_wanted(const std::vector<std::string>& columns) {
  wanted_.clear();
  if (columns.empty()) return;
  for (const auto& column : schema_.columns)
    wanted_.push_back(std::find(columns.begin(), columns.end(), column.name) != columns.end());
}

bool TableReader::wants(std::string_view column) const {
  if (wanted_.empty()) return true;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    if (schema_.columns[i].name == column) return wanted_[i];
  }
  return false;
}

Row TableReader::row() { return Row(*this); }

void TableReader::gap(std::string_view key, std::string_view column, const Error& error) {
  sink_.add_gap({std::string(schema_.name), std::string(key), std::string(column), error.code, error.message});
}

Row::Row(TableReader& reader) : reader_(reader), parts_(std::move(reader.spare_)) {
  const auto columns = reader.schema().columns.size();
  parts_.cells.assign(columns, Value::null());
  parts_.texts.resize(columns);  // views into the strings must not move
}

std::size_t Row::index_of(std::string_view column) {
  const auto columns = reader_.schema().columns;
  for (std::size_t tried = 0; tried < columns.size(); ++tried) {
    const auto i = next_ + tried < columns.size() ? next_ + tried : next_ + tried - columns.size();
    if (columns[i].name != column) continue;
    next_ = i + 1;
    return i;
  }
  throw std::logic_error("table " + std::string(reader_.schema().name) + " has no column " + std::string(column));
}

Row& Row::set(std::string_view column, std::int64_t value) {
  parts_.cells[index_of(column)] = Value::of(value);
  return *this;
}

Row& Row::set(std::string_view column, std::string_view value) {
  const auto index = index_of(column);
  // What nobody asked for is not even copied; the key names the row's gaps.
  const bool is_kept =
      reader_.wanted_.empty() || reader_.wanted_[index] || reader_.schema().columns[index].has(ColumnFlag::kKey);
  if (!is_kept) return *this;
  GH_CHECK(texts_used_ < parts_.texts.size());  // a column is set once
  std::string& text = parts_.texts[texts_used_++];
  text = value;
  parts_.cells[index] = Value::of(std::string_view(text));
  return *this;
}

Row& Row::unread(std::string_view column, const Error& error) {
  const auto index = index_of(column);
  parts_.cells[index].kind = ValueKind::kUnread;
  unread_.emplace_back(index, error);
  return *this;
}

Row::~Row() noexcept(false) {
  if (std::uncaught_exceptions() > 0) return;
  const auto columns = reader_.schema().columns;
  std::string key = "*";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].has(ColumnFlag::kKey) || parts_.cells[i].is_null()) continue;
    key = parts_.cells[i].kind == ValueKind::kInteger ? std::to_string(parts_.cells[i].integer)
                                                      : std::string(parts_.cells[i].text);
  }
  for (const auto& [index, error] : unread_) reader_.gap(key, columns[index].name, error);
  reader_.sink_.add_row(parts_.cells);
  reader_.spare_ = std::move(parts_);
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
