// SPDX-License-Identifier: GPL-2.0-or-later
// What was not looked at is never green: for every rule, every case that passes or is not
// applicable, and every column that the rule reads, the column is made unreadable; no verdict may
// stay pass or not applicable.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "engine/base/text.h"
#include "engine/scan/evaluate.h"
#include "tests/support/case_file.h"
#include "tests/support/rule_tables.h"

namespace gpuharden::test {
namespace {

struct Poison {
  enum class Kind { kTable, kColumn, kCell, kRowTaken };
  Kind kind = Kind::kTable;
  std::string table;
  std::string column;
  std::size_t row = 0;
};

std::unique_ptr<TableData> copy_of(const TableData& data) {
  auto copy = std::make_unique<TableData>(data.column_count());
  std::vector<Value> cells(data.column_count());
  for (std::size_t row = 0; row < data.row_count(); ++row) {
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = data.cell(row, i);
    copy->add_row(cells);
  }
  for (const auto& gap : data.gaps()) copy->add_gap(gap);
  if (!data.failure().empty()) copy->set_failure(data.failure());
  return copy;
}

// Reads as the real source does, each table once: a case is run hundreds of times.
class RememberedTables final : public TableSource {
 public:
  explicit RememberedTables(const Host& host) : tables_(host) {}

  std::unique_ptr<TableData> read(const TableRequest& request) override {
    std::string name(request.probe->schema.name);
    for (const auto& argument : request.arguments) name += concat({"\n", argument.column, "=", argument.value});
    for (const auto& column : request.columns) name += "\t" + column;
    auto& data = known_[name];
    if (!data) data = tables_.read(request);
    return copy_of(*data);
  }

 private:
  RuleTables tables_;
  std::map<std::string, std::unique_ptr<TableData>> known_;
};

// Takes away what the poison names.
class PoisonedSource final : public TableSource {
 public:
  PoisonedSource(RememberedTables& tables, Poison poison) : tables_(tables), poison_(std::move(poison)) {}

  std::unique_ptr<TableData> read(const TableRequest& request) override {
    auto data = tables_.read(request);
    if (request.probe->schema.name != poison_.table) return data;
    was_read_ = true;
    rows_ = std::max(rows_, data->row_count());
    if (poison_.kind == Poison::Kind::kTable) {
      auto empty = std::make_unique<TableData>(data->column_count());
      empty->add_gap({poison_.table, "*", "*", ErrorCode::kPermission, "poisoned"});
      return empty;
    }
    if (poison_.kind == Poison::Kind::kRowTaken) return without_row(*data);
    take_cells(request.probe->schema, *data);
    return data;
  }

  // Whether there was anything to take.
  bool touched() const { return was_read_ && (poison_.kind == Poison::Kind::kTable || rows_ > 0); }
  std::size_t rows() const { return rows_; }

 private:
  std::unique_ptr<TableData> without_row(const TableData& data) const {
    auto rest = std::make_unique<TableData>(data.column_count());
    for (std::size_t row = 0; row < data.row_count(); ++row) {
      std::vector<Value> cells;
      for (std::size_t i = 0; i < data.column_count(); ++i) cells.push_back(data.cell(row, i));
      if (row != poison_.row) rest->add_row(cells);
    }
    for (const auto& gap : data.gaps()) rest->add_gap(gap);
    return rest;
  }

  // As Row::unread() does: the gap is named by the key, unless the key itself is what is missing.
  void take_cells(const TableSchema& schema, TableData& data) {
    std::size_t column = 0;
    std::size_t key = schema.columns.size();
    for (std::size_t i = 0; i < schema.columns.size(); ++i) {
      if (schema.columns[i].name == poison_.column) column = i;
      if (schema.columns[i].has(ColumnFlag::kKey)) key = i;
    }
    for (std::size_t row = 0; row < data.row_count(); ++row) {
      if (poison_.kind == Poison::Kind::kCell && poison_.row != row) continue;
      const bool has_key = key < schema.columns.size() && key != column && !data.cell(row, key).is_null();
      const std::string name = has_key ? key_text(data.cell(row, key)) : "*";
      data.set_cell(row, column, {ValueKind::kUnread, 0, {}});
      data.add_gap({poison_.table, name, poison_.column, ErrorCode::kPermission, "poisoned"});
    }
  }

  RememberedTables& tables_;
  Poison poison_;
  bool was_read_ = false;
  std::size_t rows_ = 0;
};

bool is_green(Outcome outcome) { return outcome == Outcome::kPass || outcome == Outcome::kNotApplicable; }

// Hostile tables have many rows; the first ones stand for all. The sanitizers look at memory, not at verdicts.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kMaxRowsPoisoned = 1;
#else
constexpr std::size_t kMaxRowsPoisoned = 25;
#endif

class RulePoisoner {
 public:
  RulePoisoner(const Rule& rule, const Host& host) : rule_(rule), tables_(host) {}

  void run() {
    Database database(tables_);
    auto prepared = prepare_rule(rule_, database);
    for (const auto& horizon : evaluate_rule(prepared).horizons) clean_.push_back(horizon.outcome);
    std::set<std::string> tables;
    for (const auto& read : prepared.reads()) {
      const std::string table(read.first);
      const std::string column(read.second);
      if (tables.insert(table).second) expect_no_green({Poison::Kind::kTable, table, "", 0});
      if (column.empty()) continue;
      const std::size_t rows = expect_no_green({Poison::Kind::kColumn, table, column, 0});
      for (std::size_t row = 0; row < std::min(rows, kMaxRowsPoisoned); ++row) expect_sound(table, column, row);
    }
  }
  std::size_t runs() const { return runs_; }

 private:
  struct Run {
    RuleFinding finding;
    std::vector<bool> reads_poison;  // by horizon
    bool touched = false;
    std::size_t rows = 0;
  };

  Run evaluate(const Poison& poison) {
    PoisonedSource source(tables_, poison);
    Database database(source);
    auto prepared = prepare_rule(rule_, database);
    Run run;
    run.finding = evaluate_rule(prepared);
    for (const auto& statement : prepared.statements) {
      const auto& reads = statement->reads();
      const bool reads_table =
          std::any_of(reads.begin(), reads.end(), [&](const ColumnRead& read) { return read.first == poison.table; });
      run.reads_poison.push_back(poison.column.empty() ? reads_table : reads.contains({poison.table, poison.column}));
    }
    run.touched = source.touched();
    run.rows = source.rows();
    ++runs_;
    return run;
  }

  // The whole table or column is unreadable: every horizon that reads it has lost its green.
  std::size_t expect_no_green(const Poison& poison) {
    const Run run = evaluate(poison);
    for (std::size_t i = 0; i < run.finding.horizons.size(); ++i) {
      if (!run.reads_poison[i] || !run.touched) continue;
      EXPECT_FALSE(is_green(run.finding.horizons[i].outcome))
          << run.finding.horizons[i].name << " stays " << to_string(run.finding.horizons[i].outcome) << " without "
          << poison.table << "." << poison.column;
    }
    return run.rows;
  }

  // One cell is unreadable. A horizon may only stay green when its constraints exclude the row: then
  // taking the row away altogether changes nothing either.
  void expect_sound(const std::string& table, const std::string& column, std::size_t row) {
    const Run run = evaluate({Poison::Kind::kCell, table, column, row});
    for (std::size_t i = 0; i < run.finding.horizons.size(); ++i) {
      if (!run.reads_poison[i] || !is_green(run.finding.horizons[i].outcome)) continue;
      const Run without = evaluate({Poison::Kind::kRowTaken, table, column, row});
      EXPECT_EQ(to_string(without.finding.horizons[i].outcome), to_string(clean_[i]))
          << run.finding.horizons[i].name << " stays green without " << table << "." << column << " of row " << row
          << ", which it needs";
    }
  }

  const Rule& rule_;
  RememberedTables tables_;
  std::vector<Outcome> clean_;
  std::size_t runs_ = 0;
};

// In slices, so that they run side by side.
constexpr std::size_t kSlices = 8;
class PoisonTest : public testing::TestWithParam<std::size_t> {};

TEST_P(PoisonTest, NothingUnreadStaysGreen) {
  std::size_t number = 0;
  std::size_t cases = 0;
  std::size_t runs = 0;
  for (const auto& rule_case : all_cases()) {
    if (!is_green(rule_case.expect) || number++ % kSlices != GetParam()) continue;
    SCOPED_TRACE(rule_case.rule + ": " + rule_case.name);
    const auto capture = rule_case.make_host();
    const auto host = rule_case.open(*capture);
    const Rule rule = rule_of(rule_case);
    RulePoisoner poisoner(rule, *host);
    poisoner.run();
    ++cases;
    runs += poisoner.runs();
  }
  std::cout << "poison_test: slice " << GetParam() + 1 << " of " << kSlices << ": " << cases << " green cases, " << runs
            << " poisoned runs, no exception\n";
  EXPECT_GT(runs, 0U);
}

INSTANTIATE_TEST_SUITE_P(Slices, PoisonTest, testing::Range(std::size_t{0}, kSlices));

}  // namespace
}  // namespace gpuharden::test
