// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/table_data.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "engine/base/result.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxColumns = std::numeric_limits<std::int8_t>::max();
constexpr std::size_t kFirstBlock = 64;
constexpr std::size_t kLargestBlock = std::size_t{64} << 10U;

std::vector<std::size_t> all_columns(std::size_t count) {
  std::vector<std::size_t> columns(count);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

}  // namespace

TableData::TableData(std::size_t column_count) : TableData(column_count, all_columns(column_count)) {}

TableData::TableData(std::size_t column_count, const std::vector<std::size_t>& kept) : slots_(column_count, -1) {
  GH_CHECK(!kept.empty() && column_count <= kMaxColumns);
  for (const auto column : kept) {
    slots_.at(column) = static_cast<std::int8_t>(kept_.size());
    kept_.push_back(static_cast<std::uint8_t>(column));
  }
}

// Most tables are small; those that are not get large blocks soon.
const char* TableData::keep_text(std::string_view text) {
  if (block_used_ + text.size() > block_size_) {
    const auto next = std::clamp(block_size_ * 4, kFirstBlock, kLargestBlock);
    block_size_ = std::max(next, text.size());
    block_used_ = 0;
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_size_));
  }
  char* place = blocks_.back().get() + block_used_;
  std::memcpy(place, text.data(), text.size());
  block_used_ += text.size();
  return place;
}

TableData::Cell TableData::keep(const Value& value, const Cell* above) {
  Cell cell{{value.integer}, 0, value.kind};
  if (value.kind != ValueKind::kText) return cell;
  GH_CHECK(value.text.size() <= std::numeric_limits<std::uint32_t>::max());
  cell.size = static_cast<std::uint32_t>(value.text.size());
  const bool is_repeated =
      above != nullptr && above->kind == ValueKind::kText && std::string_view(above->text, above->size) == value.text;
  if (is_repeated) return *above;
  cell.text = value.text.empty() ? "" : keep_text(value.text);
  return cell;
}

TableData::Cell* TableData::begin_row() {
  if (row_count_ < kRowsPerBlock) {
    if (row_count_ == rows_in_first_block_) grow_first_block();
  } else if (row_count_ % kRowsPerBlock == 0) {
    rows_.push_back(std::make_unique_for_overwrite<Cell[]>(kRowsPerBlock * kept_.size()));
  }
  return &cell_at(row_count_++, 0);
}

void TableData::grow_first_block() {
  const std::size_t rows = std::max<std::size_t>(rows_in_first_block_ * 2, 1);
  auto larger = std::make_unique_for_overwrite<Cell[]>(rows * kept_.size());
  if (rows_.empty()) rows_.emplace_back();
  std::copy_n(rows_.front().get(), rows_in_first_block_ * kept_.size(), larger.get());
  rows_.front() = std::move(larger);
  rows_in_first_block_ = rows;
}

const TableData::Cell* TableData::row_above() const { return row_count_ > 1 ? &cell_at(row_count_ - 2, 0) : nullptr; }

TableData::Cell& TableData::cell_at(std::size_t row, std::size_t slot) {
  return rows_[row / kRowsPerBlock][row % kRowsPerBlock * kept_.size() + slot];
}

const TableData::Cell& TableData::cell_at(std::size_t row, std::size_t slot) const {
  return rows_[row / kRowsPerBlock][row % kRowsPerBlock * kept_.size() + slot];
}

void TableData::add_row(const std::vector<Value>& cells) {
  Cell* row = begin_row();
  const Cell* above = row_above();
  for (const auto column : kept_) *row++ = keep(cells.at(column), above != nullptr ? above++ : nullptr);
}

void TableData::add_kept(const std::vector<Value>& cells) {
  GH_CHECK(cells.size() == kept_.size());
  Cell* row = begin_row();
  const Cell* above = row_above();
  for (const auto& cell : cells) *row++ = keep(cell, above != nullptr ? above++ : nullptr);
}

Value TableData::cell(std::size_t row, std::size_t column) const {
  const auto slot = slots_[column];
  if (slot < 0) return Value::null();
  const Cell& cell = cell_at(row, static_cast<std::size_t>(slot));
  if (cell.kind == ValueKind::kText) return Value::of(std::string_view(cell.text, cell.size));
  return {cell.kind, cell.kind == ValueKind::kInteger ? cell.integer : 0, {}};
}

void TableData::set_cell(std::size_t row, std::size_t column, Value value) {
  const auto slot = slots_.at(column);
  GH_CHECK(slot >= 0);
  GH_CHECK(row < row_count_);
  cell_at(row, static_cast<std::size_t>(slot)) = keep(value, nullptr);
}

// Counted first, then filled in: a vector for each of fifty thousand keys would take more than the table.
TableData::Index TableData::make_index(std::size_t column) const {
  Index index;
  for (std::size_t row = 0; row < row_count(); ++row) {
    const Value value = cell(row, column);
    if (value.is_null()) continue;
    const std::string number = value.kind == ValueKind::kText ? std::string() : key_text(value);
    const std::string_view key = value.kind == ValueKind::kText ? value.text : std::string_view(number);
    auto known = index.ranges.find(key);
    if (known == index.ranges.end())
      known = index.ranges.try_emplace(number.empty() ? key : index.numbers.emplace_back(number)).first;
    ++known->second.count;
  }
  std::uint32_t begin = 0;
  for (auto& [key, range] : index.ranges) {
    range.begin = begin;
    begin += range.count;
    range.count = 0;
  }
  index.rows.resize(begin);
  for (std::size_t row = 0; row < row_count(); ++row) {
    const Value value = cell(row, column);
    if (value.is_null()) continue;
    Range& range = value.kind == ValueKind::kText ? index.ranges.at(value.text) : index.ranges.at(key_text(value));
    index.rows[range.begin + range.count++] = static_cast<std::uint32_t>(row);
  }
  return index;
}

std::span<const std::uint32_t> TableData::rows_where(std::size_t column, const Value& value) const {
  if (!indexes_) indexes_ = std::make_unique<Indexes>();
  auto place = indexes_->find(column);
  if (place == indexes_->end()) place = indexes_->emplace(column, make_index(column)).first;
  const Index& index = place->second;
  const bool is_text = value.kind == ValueKind::kText;
  const auto found = is_text ? index.ranges.find(value.text) : index.ranges.find(key_text(value));
  if (found == index.ranges.end()) return {};
  return std::span(index.rows).subspan(found->second.begin, found->second.count);
}

std::string key_text(const Value& value) {
  return value.kind == ValueKind::kInteger ? std::to_string(value.integer) : std::string(value.text);
}

}  // namespace gpuharden
