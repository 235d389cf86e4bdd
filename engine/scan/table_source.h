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

class TableSource {
 public:
  virtual ~TableSource() = default;
  // Announces what will be read, so that it can be read ahead. Optional.
  virtual void expect(std::vector<TableRequest> requests) { (void)requests; }
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
