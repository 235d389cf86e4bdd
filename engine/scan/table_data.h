// SPDX-License-Identifier: GPL-2.0-or-later
// The rows and gaps of one reading of a table, kept compactly.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/model/table.h"

namespace gpuharden {

class TableData {
 public:
  // Keeps every column.
  explicit TableData(std::size_t column_count);
  // Keeps the columns with these numbers, ascending; of the others a cell is NULL.
  TableData(std::size_t column_count, const std::vector<std::size_t>& kept);

  // One value a column of the table.
  void add_row(const std::vector<Value>& cells);
  // One value a column that is kept.
  void add_kept(const std::vector<Value>& cells);
  void add_gap(Gap gap) { gaps_.push_back(std::move(gap)); }
  // The reader failed half-way: rows seen so far stand, the statement is an error.
  void set_failure(std::string sentence) { failure_ = std::move(sentence); }

  std::size_t row_count() const { return row_count_; }
  std::size_t column_count() const { return slots_.size(); }
  std::size_t kept_count() const { return kept_.size(); }
  // Text lives as long as this object.
  Value cell(std::size_t row, std::size_t column) const;
  // The column must be one that is kept.
  void set_cell(std::size_t row, std::size_t column, Value value);
  const std::vector<Gap>& gaps() const { return gaps_; }
  std::vector<Gap>& gaps() { return gaps_; }
  const std::string& failure() const { return failure_; }

  // Rows whose cell equals the value; an index is made on first use of a column.
  std::span<const std::uint32_t> rows_where(std::size_t column, const Value& value) const;

 private:
  // Half the size of a Value: tables of fifty thousand rows are held whole.
  struct Cell {
    union {
      std::int64_t integer;
      const char* text;
    };
    std::uint32_t size;
    ValueKind kind;
  };
  struct Range {
    std::uint32_t begin = 0, count = 0;
  };
  struct Index {
    std::deque<std::string> numbers;  // what keys of integers point at
    std::unordered_map<std::string_view, Range> ranges;
    std::vector<std::uint32_t> rows;  // by key, ascending within each
  };
  Index make_index(std::size_t column) const;

  // Rows are held in blocks that never move: one growing array would, for a moment, take thrice the room.
  static constexpr std::size_t kRowsPerBlock = 64;

  // Room for one more row, which counts from now on.
  Cell* begin_row();
  void grow_first_block();
  // The cells of the row before the last; nullptr where there is none.
  const Cell* row_above() const;
  Cell& cell_at(std::size_t row, std::size_t slot);
  const Cell& cell_at(std::size_t row, std::size_t slot) const;
  // A text equal to that of `above`, the cell in the last row, is not held twice.
  Cell keep(const Value& value, const Cell* above);
  const char* keep_text(std::string_view text);

  std::vector<std::uint8_t> kept_;
  std::vector<std::int8_t> slots_;  // by column: its place among the kept, or -1
  std::vector<std::unique_ptr<Cell[]>> rows_;
  std::size_t row_count_ = 0;
  // Tables with arguments have a row or two, and there are as many tables as open ports.
  std::size_t rows_in_first_block_ = 0;
  std::vector<std::unique_ptr<char[]>> blocks_;  // texts; blocks never move
  std::size_t block_used_ = 0;
  std::size_t block_size_ = 0;
  std::vector<Gap> gaps_;
  std::string failure_;
  using Indexes = std::unordered_map<std::size_t, Index>;
  mutable std::unique_ptr<Indexes> indexes_;  // by column; made when the first is asked for
};

// A cell as text for keys and comparisons of equality: "5" for 5 and for "5".
std::string key_text(const Value& value);

}  // namespace gpuharden
