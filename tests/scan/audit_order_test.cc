// SPDX-License-Identifier: GPL-2.0-or-later
// Rules are evaluated as their tables arrive: each once, with the same verdicts in whatever order that is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/scan/audit.h"
#include "tests/support/fake_source.h"

namespace gpuharden::test {
namespace {

const std::vector<std::string> kTables = {"groups", "kernel", "os_release", "users"};

// Tables that arrive one by one; what is read before has to be waited for, and is noted.
class ArrivingSource final : public TableSource {
 public:
  explicit ArrivingSource(std::vector<std::string> order) : order_(std::move(order)) {}

  void expect(std::vector<TableRequest> requests) override {
    for (auto& request : requests) columns[std::string(request.probe->schema.name)] = request.columns;
  }
  std::vector<const Probe*> wait() override {
    if (next_ == order_.size()) return {};
    arrived_.push_back(order_[next_]);
    return {find_probe(order_[next_++])};
  }
  std::unique_ptr<TableData> read(const TableRequest& request) override {
    const std::string name(request.probe->schema.name);
    ++readings[name];
    auto data = make_table_data(request);
    std::vector<Value> row;
    for (const auto& column : request.probe->schema.columns)
      row.push_back(column.type == ColumnType::kInteger ? Value::of(std::int64_t{1}) : Value::of(column.name));
    data->add_row(row);
    return data;
  }

  std::map<std::string, std::vector<std::string>> columns;  // asked for ahead
  std::map<std::string, int> readings;

 private:
  std::vector<std::string> order_, arrived_;
  std::size_t next_ = 0;
};

// Passes when the column has the row that the source makes.
Rule rule_of(const std::string& id, const std::string& table, const std::string& column) {
  Rule rule = make_rule("SELECT '" + table + "' AS subject, " + column + " = '" + column + "' AS ok FROM " + table);
  rule.id = id;
  rule.queries[0].reads = {{table, column}};
  return rule;
}

std::map<std::string, std::string> outcomes(std::vector<Rule> rules, ArrivingSource& source) {
  Selection selection;
  selection.rules = std::move(rules);
  Report report;
  run_audit(std::move(selection), {}, {}, source, report);
  std::map<std::string, std::string> found;
  for (const auto& finding : report.rules)
    EXPECT_TRUE(found.emplace(finding.rule.id, to_string(finding.outcome)).second);
  return found;
}

std::vector<Rule> some_rules() {
  return {rule_of("t.groups", "groups", "name"), rule_of("t.kernel", "kernel", "release"),
          rule_of("t.os", "os_release", "id"), rule_of("t.users", "users", "name")};
}

TEST(AuditOrder, DecidesNothing) {
  auto order = kTables;
  do {
    ArrivingSource source(order);
    const auto found = outcomes(some_rules(), source);
    EXPECT_EQ(found.size(), 4U);
    for (const auto& [rule, outcome] : found) EXPECT_EQ(outcome, "pass") << rule;
    for (const auto& [table, readings] : source.readings) EXPECT_EQ(readings, 1) << table;
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(AuditOrder, TablesThatNeverArriveAreReadAllTheSame) {
  ArrivingSource source({"users"});
  EXPECT_EQ(outcomes(some_rules(), source).size(), 4U);
}

// The compiled form of a rule is a forecast: what it forgets must not read as "there is no value".
TEST(AuditOrder, AForecastThatForgetsAColumnChangesNoVerdict) {
  auto rules = some_rules();
  rules[3].queries[0].reads = {{"users", "uid"}};
  ArrivingSource source(kTables);
  EXPECT_EQ(outcomes(std::move(rules), source)["t.users"], "pass");
  rules = some_rules();
  rules[3].queries[0].reads = {{"groups", "name"}};
  ArrivingSource other(kTables);
  EXPECT_EQ(outcomes(std::move(rules), other)["t.users"], "pass");
}

TEST(AuditOrder, ARuleWithoutAForecastIsEvaluated) {
  auto rules = some_rules();
  for (auto& rule : rules) rule.queries[0].reads.clear();
  ArrivingSource source(kTables);
  const auto found = outcomes(std::move(rules), source);
  for (const auto& [rule, outcome] : found) EXPECT_EQ(outcome, "pass") << rule;
  EXPECT_THAT(source.columns["users"], testing::ElementsAre("name"));
}

}  // namespace
}  // namespace gpuharden::test
