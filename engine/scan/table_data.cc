// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/table_data.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "engine/base/result.h"

namespace gpuharden {
namespace {

constexpr std::size_t kFirstBlock = std::size_t{1} << 10U;
constexpr std::size_t kLargestBlock = std::size_t{64} << 10U;

std::vector<std::size_t> all_columns(std::size_t count) {
  std::vector<std::size_t> columns(count);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

}  // namespace

TableData::TableData(std::size_t column_count) : TableData(column_count, all_columns(column_count)) {}

TableData::TableData(std::size_t column_count, std::vector<std::size_t> kept)
    : kept_(std::move(kept)), slots_(column_count, -1) {
  GH_CHECK(!kept_.empty());
  for (std::size_t slot = 0; slot < kept_.size(); ++slot) slots_.at(kept_[slot]) = static_cast<std::int32_t>(slot);
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
  if (row_count_ % kRowsPerBlock == 0)
    rows_.push_back(std::make_unique_for_overwrite<Cell[]>(kRowsPerBlock * kept_.size()));
  return &cell_at(row_count_++, 0);
}

TableData::Cell& TableData::cell_at(std::size_t row, std::size_t slot) {
  return rows_[row / kRowsPerBlock][row % kRowsPerBlock * kept_.size() + slot];
}

const TableData::Cell& TableData::cell_at(std::size_t row, std::size_t slot) const {
  return rows_[row / kRowsPerBlock][row % kRowsPerBlock * kept_.size() + slot];
}

void TableData::add_row(const std::vector<Value>& cells) {
  const Cell* above = row_count_ > 0 ? &cell_at(row_count_ - 1, 0) : nullptr;
  Cell* row = begin_row();
  for (const auto column : kept_) *row++ = keep(cells.at(column), above != nullptr ? above++ : nullptr);
}

void TableData::add_kept(const std::vector<Value>& cells) {
  GH_CHECK(cells.size() == kept_.size());
  const Cell* above = row_count_ > 0 ? &cell_at(row_count_ - 1, 0) : nullptr;
  Cell* row = begin_row();
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

const std::vector<std::uint32_t>& TableData::rows_where(std::size_t column, const Value& value) const {
  static const std::vector<std::uint32_t> kNone;
  const auto [place, is_new] = indexes_.try_emplace(column);
  Index& index = place->second;
  if (is_new) {
    for (std::uint32_t row = 0; row < row_count(); ++row) {
      const Value candidate = cell(row, column);
      if (candidate.is_null()) continue;
      const bool is_text = candidate.kind == ValueKind::kText;
      const std::string_view key = is_text ? candidate.text : index.numbers.emplace_back(key_text(candidate));
      index.rows[key].push_back(row);
    }
  }
  const bool is_text = value.kind == ValueKind::kText;
  const auto found = is_text ? index.rows.find(value.text) : index.rows.find(key_text(value));
  return found == index.rows.end() ? kNone : found->second;
}

std::string key_text(const Value& value) {
  return value.kind == ValueKind::kInteger ? std::to_string(value.integer) : std::string(value.text);
}

}  // namespace gpuharden
