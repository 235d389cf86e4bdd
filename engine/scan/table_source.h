// SPDX-License-Identifier: GPL-2.0-or-later
// Where statements get their tables: the reader process, or a host in this process, or a test.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scan/probe.h"
#include "engine/scan/table_data.h"

namespace gpuharden {

// What is asked of a table: a probe, its arguments, and the columns that some statement reads
// (empty: all).
struct TableRequest {
  const Probe* probe = nullptr;
  std::vector<Argument> arguments;
  std::vector<std::string> columns;
};

// The numbers of the columns that a reading delivers: those that are asked for, and the key, by which gaps name rows.
std::vector<std::size_t> delivered_columns(const TableRequest& request);
// Room for them.
std::unique_ptr<TableData> make_table_data(const TableRequest& request);

class TableSource {
 public:
  virtual ~TableSource() = default;
  // Announces what will be read, so that it can be read ahead. Optional.
  virtual void expect(std::vector<TableRequest> requests) { (void)requests; }
  // Waits until tables have arrived of those that are expected: read() answers at once for these. None when nothing
  // is outstanding.
  virtual std::vector<const Probe*> wait() { return {}; }
  // Never fails: what went wrong is in the data's gaps or failure.
  virtual std::unique_ptr<TableData> read(const TableRequest& request) = 0;
};

// Runs probes in this process, without privilege separation: for tests and for `query` on images.
class DirectSource final : public TableSource {
 public:
  explicit DirectSource(const Host& host) : host_(host) {}
  std::unique_ptr<TableData> read(const TableRequest& request) override;

 private:
  const Host& host_;
  SharedFacts shared_;
};

// Runs the probe; whatever it throws becomes a failure told to `fail`.
void run_probe(const TableRequest& request, const Host& host, SharedFacts& shared, RowSink& sink,
               const std::function<void(std::string)>& fail);

}  // namespace gpuharden
