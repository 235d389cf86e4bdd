// SPDX-License-Identifier: GPL-2.0-or-later
// Serves the tables of GPU computation of this machine: asks the GPUs when the first of them is read, and only then.
// Captures and images answer for themselves.
#pragma once

#include <optional>
#include <string>

#include "engine/gpu/gpu_run.h"
#include "engine/scan/table_source.h"

namespace gpuharden {

// The tables that cost a run over the GPUs.
bool is_gpu_table(std::string_view table);

class GpuSource final : public TableSource {
 public:
  // Without options the tables are the inner source's: those of a capture or an image.
  GpuSource(TableSource& inner, std::optional<GpuRunOptions> options) : inner_(inner), options_(std::move(options)) {}

  void expect(std::vector<TableRequest> requests) override;
  std::vector<const Probe*> wait() override { return inner_.wait(); }
  std::unique_ptr<TableData> read(const TableRequest& request) override;

 private:
  TableSource& inner_;
  std::optional<GpuRunOptions> options_;
  std::optional<std::string> report_;
};

}  // namespace gpuharden
