// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/table.h"

#include <algorithm>
#include <stdexcept>

namespace gpuharden::test {
namespace {

std::string text_of(const Value& value) {
  switch (value.kind) {
    case ValueKind::kNull: return "NULL";
    case ValueKind::kUnread: return "UNREAD";
    case ValueKind::kInteger: return std::to_string(value.integer);
    case ValueKind::kText: return std::string(value.text);
  }
  return "?";
}

class TextSink final : public RowSink {
 public:
  TextSink(const TableSchema& schema, TableText& out) : schema_(schema), out_(out) {}

  void add_row(const std::vector<Value>& cells) override {
    RowText row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Column& column = schema_.columns[i];
      if (column.has(ColumnFlag::kNotNull) && cells[i].kind == ValueKind::kNull) {
        throw std::logic_error("NULL in not-null column " + std::string(column.name));
      }
      row.emplace(column.name, text_of(cells[i]));
    }
    out_.rows.push_back(std::move(row));
  }

  void add_gap(Gap gap) override {
    const bool known = gap.column == "*" || std::any_of(schema_.columns.begin(), schema_.columns.end(),
                                                        [&](const Column& c) { return c.name == gap.column; });
    if (!known || gap.table != schema_.name) throw std::logic_error("gap of an unknown column " + gap.column);
    if (gap.sentence.empty()) throw std::logic_error("gap without a sentence");
    out_.gaps.push_back(std::move(gap));
  }

 private:
  const TableSchema& schema_;
  TableText& out_;
};

}  // namespace

const RowText& TableText::where(std::string_view column, std::string_view value) const {
  for (const auto& row : rows) {
    if (row.at(std::string(column)) == value) return row;
  }
  std::string seen;
  for (const auto& row : rows) seen += " " + row.at(std::string(column));
  throw std::runtime_error("no row with " + std::string(column) + " = " + std::string(value) + "; there is:" + seen);
}

bool TableText::has(std::string_view column, std::string_view value) const {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const RowText& row) { return row.at(std::string(column)) == value; });
}

std::vector<std::string> TableText::gap_words() const {
  std::vector<std::string> words;
  for (const auto& gap : gaps) words.push_back(gap.key + " " + gap.column + " " + std::string(to_string(gap.cause)));
  std::sort(words.begin(), words.end());
  return words;
}

TableText read_table(const Host& host, std::string_view table, std::vector<Argument> arguments) {
  const Probe* probe = find_probe(table);
  if (probe == nullptr) throw std::logic_error("no such table: " + std::string(table));
  TableText out;
  TextSink sink(probe->schema, out);
  SharedFacts shared;
  TableReader reader(probe->schema, host, shared, sink);
  reader.set_arguments(std::move(arguments));
  probe->read(reader);
  return out;
}

}  // namespace gpuharden::test
