// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/gpu/host_facts.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Messages that are no fault of a GPU: corrected errors are counted by the driver, the others are of modules.
constexpr std::array<std::string_view, 6> kErrors = {"xid",       "fell-off-bus", "ring-timeout",
                                                     "gpu-reset", "reset-failed", "uncorrectable"};

class Table {
 public:
  Table(TableSource& source, std::string_view name) : probe_(find_probe(name)) {
    GH_CHECK(probe_ != nullptr);
    data_ = source.read({probe_, {}, {}});
  }

  std::size_t rows() const { return data_->row_count(); }
  bool is_complete() const { return data_->gaps().empty() && data_->failure().empty(); }
  Value cell(std::size_t row, std::string_view column) const {
    const auto& columns = probe_->schema.columns;
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == column; });
    GH_CHECK(found != columns.end());
    return data_->cell(row, static_cast<std::size_t>(found - columns.begin()));
  }
  std::string text(std::size_t row, std::string_view column) const {
    const Value value = cell(row, column);
    return value.kind == ValueKind::kText ? std::string(value.text) : std::string();
  }
  std::int64_t number(std::size_t row, std::string_view column) const {
    const Value value = cell(row, column);
    return value.kind == ValueKind::kInteger ? value.integer : 0;
  }

 private:
  const Probe* probe_;
  std::unique_ptr<TableData> data_;
};

}  // namespace

BusGpus read_bus(TableSource& source) {
  const Table table(source, "gpus");
  BusGpus bus;
  bus.is_complete = table.is_complete();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    BusGpu gpu{table.text(row, "address"), table.text(row, "vendor"), table.text(row, "driver")};
    if (gpu.vendor != "nvidia" && gpu.vendor != "amd") continue;
    gpu.is_wanted = table.number(row, "is_virtual_function") == 0 && table.number(row, "nvidia_excluded") == 0;
    bus.gpus.push_back(std::move(gpu));
  }
  return bus;
}

LoggedErrors read_logged_errors(TableSource& source) {
  const Table table(source, "kernel_log");
  LoggedErrors errors;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string kind = table.text(row, "kind");
    if (std::find(kErrors.begin(), kErrors.end(), kind) == kErrors.end()) continue;
    errors[concat({kind, " ", table.text(row, "about"), " of ", table.text(row, "device")})] +=
        table.number(row, "count");
  }
  return errors;
}

std::vector<std::string> new_errors(const LoggedErrors& before, const LoggedErrors& after) {
  std::vector<std::string> news;
  for (const auto& [what, count] : after) {
    const auto known = before.find(what);
    if (count > (known == before.end() ? 0 : known->second)) news.push_back(what);
  }
  return news;
}

}  // namespace gpuharden
