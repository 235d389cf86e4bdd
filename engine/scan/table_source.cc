// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/table_source.h"

#include <algorithm>
#include <exception>

namespace gpuharden {
namespace {

class DataSink final : public RowSink {
 public:
  explicit DataSink(TableData& data) : data_(data) {}
  void add_row(const std::vector<Value>& cells) override { data_.add_row(cells); }
  void add_gap(Gap gap) override { data_.add_gap(std::move(gap)); }

 private:
  TableData& data_;
};

}  // namespace

std::vector<std::size_t> delivered_columns(const TableRequest& request) {
  const auto columns = request.probe->schema.columns;
  std::vector<std::size_t> delivered;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& wanted = request.columns;
    const bool is_wanted = wanted.empty() || std::find(wanted.begin(), wanted.end(), columns[i].name) != wanted.end();
    if (is_wanted || columns[i].has(ColumnFlag::kKey)) delivered.push_back(i);
  }
  return delivered;
}

std::unique_ptr<TableData> make_table_data(const TableRequest& request) {
  return std::make_unique<TableData>(request.probe->schema.columns.size(), delivered_columns(request));
}

// The first of the two nets for exceptions: a bug in one probe is an error of its rules only.
void run_probe(const TableRequest& request, const Host& host, SharedFacts& shared, RowSink& sink,
               const std::function<void(std::string)>& fail) {
  try {
    TableReader reader(request.probe->schema, host, shared, sink);
    reader.set_arguments(request.arguments);
    reader.set_wanted(request.columns);
    request.probe->read(reader);
  } catch (const std::exception& exception) {
    fail(std::string("internal error in table ") + std::string(request.probe->schema.name) + ": " + exception.what());
  }
}

std::unique_ptr<TableData> DirectSource::read(const TableRequest& request) {
  auto data = make_table_data(request);
  DataSink sink(*data);
  run_probe(request, host_, shared_, sink, [&](std::string sentence) { data->set_failure(std::move(sentence)); });
  return data;
}

}  // namespace gpuharden
