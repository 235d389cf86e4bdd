// SPDX-License-Identifier: GPL-2.0-or-later
// Tables with the rows that a test gives them, and rules made of one query.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/scan/evaluate.h"
#include "engine/scan/table_source.h"

namespace gpuharden::test {

class FakeSource final : public TableSource {
 public:
  using Cells = std::map<std::string, Value, std::less<>>;  // columns that are not given are NULL

  FakeSource& row(const std::string& table, Cells cells) {
    rows_[table].push_back(std::move(cells));
    return *this;
  }
  FakeSource& gap(Gap gap) {
    gaps_.push_back(std::move(gap));
    return *this;
  }
  FakeSource& failure(const std::string& table, std::string sentence) {
    failures_[table] = std::move(sentence);
    return *this;
  }
  std::unique_ptr<TableData> read(const TableRequest& request) override;

  std::vector<std::string> asked;  // table and arguments of each reading

 private:
  std::map<std::string, std::vector<Cells>, std::less<>> rows_;
  std::vector<Gap> gaps_;
  std::map<std::string, std::string, std::less<>> failures_;
};

// A rule that is sound but for what the test changes.
Rule make_rule(std::string sql);
RuleFinding evaluate(const Rule& rule, TableSource& source);
// The codes of what lint says, in order.
std::vector<std::string> lint_codes(const Rule& rule);

}  // namespace gpuharden::test
