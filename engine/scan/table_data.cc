// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/table_data.h"

#include <algorithm>
#include <cstring>

namespace gpuharden {

constexpr std::size_t kBlockSize = std::size_t{64} << 10U;

std::string_view TableData::keep(std::string_view text) {
  if (text.empty()) return {"", 0};
  if (block_used_ + text.size() > block_size_) {
    block_size_ = std::max(kBlockSize, text.size());
    block_used_ = 0;
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_size_));
  }
  char* place = blocks_.back().get() + block_used_;
  std::memcpy(place, text.data(), text.size());
  block_used_ += text.size();
  return {place, text.size()};
}

void TableData::add_row(const std::vector<Value>& cells) {
  for (const auto& cell : cells) {
    Value copy = cell;
    if (cell.kind == ValueKind::kText) copy.text = keep(cell.text);
    cells_.push_back(copy);
  }
}

const std::vector<std::uint32_t>& TableData::rows_where(std::size_t column, const Value& value) const {
  static const std::vector<std::uint32_t> kNone;
  const auto [place, is_new] = indexes_.try_emplace(column);
  Index& index = place->second;
  if (is_new) {
    for (std::uint32_t row = 0; row < row_count(); ++row) {
      const Value& candidate = cell(row, column);
      if (!candidate.is_null()) index[key_text(candidate)].push_back(row);
    }
  }
  const auto found = index.find(key_text(value));
  return found == index.end() ? kNone : found->second;
}

std::string key_text(const Value& value) {
  return value.kind == ValueKind::kInteger ? std::to_string(value.integer) : std::string(value.text);
}

}  // namespace gpuharden
