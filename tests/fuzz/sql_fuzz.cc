// SPDX-License-Identifier: GPL-2.0-or-later
// SQL of rules and of `gpuharden query`: whatever is prepared can only look.
#include "engine/scan/database.h"
#include "engine/scan/lint.h"
#include "engine/scan/sql_tokens.h"
#include "tests/fuzz/target.h"

namespace gpuharden::test {
namespace {

class NoRows final : public TableSource {
 public:
  std::unique_ptr<TableData> read(const TableRequest& request) override {
    return std::make_unique<TableData>(request.probe->schema.columns.size());
  }
};

void check_tokens(std::string_view sql) {
  std::size_t end = 0;
  for (const auto& token : tokenize_sql(sql)) {
    require(token.offset >= end && token.offset + token.text.size() <= sql.size());
    require(sql.substr(token.offset, token.text.size()) == token.text && !token.text.empty());
    end = token.offset + token.text.size();
  }
}

void check(std::string_view sql) {
  static NoRows source;
  static Database database(source);
  check_tokens(sql);
  const auto statement = database.prepare(sql);
  if (!statement) {
    require(!statement.error().message.empty());
    return;
  }
  for (const auto& [table, column] : statement->reads()) require(find_probe(table) != nullptr);
  for (const auto& complaint : check_sql(sql, statement->reads())) require(complaint.offset <= sql.size());
}

}  // namespace
}  // namespace gpuharden::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gpuharden::test::check(gpuharden::test::text_of(data, size));
  return 0;
}
