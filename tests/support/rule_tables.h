// SPDX-License-Identifier: GPL-2.0-or-later
// The tables of a host as rules see them: with the floors of tests/data/floors, which stay as they are
// when those of rules/floors are brought up to date.
#pragma once

#include <vector>

#include "engine/scan/floor_source.h"
#include "engine/scan/table_source.h"

namespace gpuharden::test {

// Throws std::runtime_error for a file with faults.
const std::vector<FloorFile>& test_floors();

class RuleTables final : public TableSource {
 public:
  explicit RuleTables(const Host& host) : direct_(host), floors_(direct_) {
    floors_.use(test_floors(), kDefaultFloorsMaxAge);
  }
  void expect(std::vector<TableRequest> requests) override { floors_.expect(std::move(requests)); }
  std::unique_ptr<TableData> read(const TableRequest& request) override { return floors_.read(request); }

 private:
  DirectSource direct_;
  FloorSource floors_;
};

}  // namespace gpuharden::test
