// SPDX-License-Identifier: GPL-2.0-or-later
// The rows and gaps of one reading of a table, kept compactly, and their wire form.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/model/table.h"

namespace gpuharden {

class TableData {
 public:
  explicit TableData(std::size_t column_count) : column_count_(column_count) {}

  void add_row(const std::vector<Value>& cells);
  void add_gap(Gap gap) { gaps_.push_back(std::move(gap)); }
  // The reader failed half-way: rows seen so far stand, the statement is an error.
  void set_failure(std::string sentence) { failure_ = std::move(sentence); }

  std::size_t row_count() const { return cells_.size() / std::max<std::size_t>(column_count_, 1); }
  std::size_t column_count() const { return column_count_; }
  // Text lives as long as this object.
  const Value& cell(std::size_t row, std::size_t column) const { return cells_[row * column_count_ + column]; }
  void set_cell(std::size_t row, std::size_t column, Value value) { cells_[row * column_count_ + column] = value; }
  const std::vector<Gap>& gaps() const { return gaps_; }
  std::vector<Gap>& gaps() { return gaps_; }
  const std::string& failure() const { return failure_; }

  // Rows whose cell equals the value; an index is made on first use of a column.
  const std::vector<std::uint32_t>& rows_where(std::size_t column, const Value& value) const;

 private:
  using Index = std::unordered_map<std::string, std::vector<std::uint32_t>>;
  std::string_view keep(std::string_view text);

  std::size_t column_count_;
  std::vector<Value> cells_;
  std::vector<std::unique_ptr<char[]>> blocks_;  // texts; blocks never move
  std::size_t block_used_ = 0;
  std::size_t block_size_ = 0;
  std::vector<Gap> gaps_;
  std::string failure_;
  mutable std::unordered_map<std::size_t, Index> indexes_;
};

// A cell as text for keys and comparisons of equality: "5" for 5 and for "5".
std::string key_text(const Value& value);

}  // namespace gpuharden
