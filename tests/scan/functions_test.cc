// SPDX-License-Identifier: GPL-2.0-or-later
// Functions of rules, as statements call them.
#include <gtest/gtest.h>

#include "engine/scan/database.h"
#include "tests/support/fake_source.h"

namespace gpuharden {
namespace {

// The first cell of the only row; "NULL", or the error.
std::string result_of(std::string_view sql, const ParamValue& list = std::monostate()) {
  test::FakeSource source;
  Database database(source);
  auto statement = database.prepare(sql);
  if (!statement) return statement.error().message;
  statement->bind("list", list);
  const auto row = statement->step();
  if (!row) return row.error().message;
  const auto value = statement->value(0);
  return value.kind == SqlValue::Kind::kNull ? "NULL" : std::to_string(value.integer);
}

TEST(GlobAny, MatchesOneOfAList) {
  const ParamValue list = std::vector<std::string>{"cuda-*", "lib[ab]", "/opt/*"};
  EXPECT_EQ(result_of("SELECT glob_any('cuda-13', :list)", list), "1");
  EXPECT_EQ(result_of("SELECT glob_any('/opt/a/b', :list)", list), "1");
  EXPECT_EQ(result_of("SELECT glob_any('libc', :list)", list), "0");
  EXPECT_EQ(result_of("SELECT glob_any('x', :list)", std::vector<std::string>{}), "0");
}

TEST(GlobAny, SaysTheSameOfEachRow) {
  const ParamValue list = std::vector<std::string>{"a*", "?c"};
  EXPECT_EQ(result_of("SELECT sum(glob_any(value, :list)) FROM json_each('[\"ab\",\"bc\",\"b\",\"a\"]')", list), "3");
}

TEST(GlobAny, IsNullForNullAndRefusesWhatIsNoList) {
  EXPECT_EQ(result_of("SELECT glob_any(NULL, :list)", std::vector<std::string>{"*"}), "NULL");
  EXPECT_EQ(result_of("SELECT glob_any('a', :list)"), "NULL");
  EXPECT_NE(result_of("SELECT glob_any('a', :list)", "a*").find("a JSON list is expected"), std::string::npos);
}

}  // namespace
}  // namespace gpuharden
