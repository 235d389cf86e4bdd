// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/table_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/scan/table_source.h"

namespace gpuharden::test {
namespace {
using testing::ElementsAre;
using testing::IsEmpty;

Value words(std::string_view bytes) { return Value::of(bytes); }
Value number(std::int64_t value) { return Value::of(value); }

TEST(TableData, KeepsOnlyTheColumnsThatAreAskedFor) {
  TableData data(4, {1, 3});
  data.add_row({words("a"), words("b"), words("c"), number(4)});
  data.add_kept({words("B"), number(-5)});
  EXPECT_EQ(data.row_count(), 2U);
  EXPECT_EQ(data.column_count(), 4U);
  EXPECT_TRUE(data.cell(0, 0).is_null());
  EXPECT_EQ(data.cell(0, 1).text, "b");
  EXPECT_EQ(data.cell(1, 1).text, "B");
  EXPECT_EQ(data.cell(1, 3).integer, -5);
  EXPECT_THROW(data.set_cell(0, 0, words("x")), std::logic_error);
}

TEST(TableData, KeepsBothNullsApart) {
  TableData data(2);
  data.add_row({Value::null(), {ValueKind::kUnread, 0, {}}});
  EXPECT_EQ(data.cell(0, 0).kind, ValueKind::kNull);
  EXPECT_EQ(data.cell(0, 1).kind, ValueKind::kUnread);
}

TEST(TableData, KeepsTextsOfEverySize) {
  TableData data(1);
  std::vector<std::string> texts;
  for (std::size_t size = 0; size < 300'000; size = size * 3 + 1)
    texts.emplace_back(size, static_cast<char>('a' + texts.size()));
  for (const auto& each : texts) data.add_row({words(each)});
  for (std::size_t row = 0; row < texts.size(); ++row) EXPECT_EQ(data.cell(row, 0).text, texts[row]);
}

// Rows lie in blocks, and what a row has in common with the one above is held once.
TEST(TableData, KeepsManyRowsApart) {
  TableData data(3, {0, 2});
  constexpr std::size_t kRows = 1000;
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::string name = "name " + std::to_string(row / 3);
    data.add_row({words(name), words("not kept"), row % 2 == 0 ? words("even") : number(7)});
  }
  data.set_cell(500, 0, words("other"));
  EXPECT_EQ(data.row_count(), kRows);
  for (std::size_t row = 0; row < kRows; ++row) {
    EXPECT_EQ(data.cell(row, 0).text, row == 500 ? "other" : "name " + std::to_string(row / 3)) << row;
    EXPECT_EQ(data.cell(row, 2).text, row % 2 == 0 ? "even" : "") << row;
    EXPECT_EQ(data.cell(row, 2).integer, row % 2 == 0 ? 0 : 7) << row;
  }
}

TEST(TableData, FindsRowsByTextAndByNumber) {
  TableData data(2);
  data.add_row({words("5"), number(5)});
  data.add_row({words("x"), number(7)});
  data.add_row({words("5"), Value::null()});
  EXPECT_THAT(data.rows_where(0, words("5")), ElementsAre(0, 2));
  EXPECT_THAT(data.rows_where(0, number(5)), ElementsAre(0, 2));
  EXPECT_THAT(data.rows_where(1, words("7")), ElementsAre(1));
  EXPECT_THAT(data.rows_where(1, number(6)), IsEmpty());
}

// Gaps name rows by the key, so it comes along unasked.
TEST(TableRequest, DeliversWhatIsAskedForAndTheKey) {
  const Probe* probe = find_probe("users");
  ASSERT_NE(probe, nullptr);
  const auto columns = probe->schema.columns;
  std::vector<std::string_view> names;
  for (const auto column : delivered_columns({probe, {}, {"uid"}})) names.push_back(columns[column].name);
  EXPECT_THAT(names, ElementsAre("name", "uid"));
  EXPECT_EQ(delivered_columns({probe, {}, {}}).size(), columns.size());
}

}  // namespace
}  // namespace gpuharden::test
