// SPDX-License-Identifier: GPL-2.0-or-later
// Serves the table `floors` from the rules, beside tables that come from the host.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/floor.h"
#include "engine/scan/table_source.h"

namespace gpuharden {

// Dates are judged by the host's own clock. A file older than `max_age` days, a clock that is not
// known, and a clock older than the file are gaps: what passed by them is unknown. The same clock is
// a gap of the table `clock`, so that whatever reads it is unknown too.
class FloorSource final : public TableSource {
 public:
  explicit FloorSource(TableSource& inner) : inner_(inner) {}

  // Without this, `floors` is a gap. `files` must outlive this object.
  void use(const std::vector<FloorFile>& files, std::int64_t max_age);

  void expect(std::vector<TableRequest> requests) override;
  std::vector<const Probe*> wait() override { return inner_.wait(); }
  std::unique_ptr<TableData> read(const TableRequest& request) override;

 private:
  struct HostClock {
    std::optional<std::int64_t> now;
    std::vector<Gap> gaps;
    std::string failure;
  };

  const HostClock& clock();
  std::unique_ptr<TableData> read_clock(const TableRequest& request);
  std::unique_ptr<TableData> read_floors(const TableRequest& request);
  void add_gaps(const FloorFile& file, TableData& data);

  TableSource& inner_;
  const std::vector<FloorFile>* files_ = nullptr;
  std::int64_t max_age_ = kDefaultFloorsMaxAge;
  std::optional<HostClock> clock_;
};

}  // namespace gpuharden
