// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/reader_pool.h"

namespace gpuharden {
namespace {

constexpr std::size_t kLanes = 2;

std::size_t lane_of(const TableRequest& request) { return static_cast<std::size_t>(request.probe->schema.lane); }

}  // namespace

Result<std::unique_ptr<ReaderPool>> ReaderPool::launch(const ReaderOptions& options) {
  std::unique_ptr<ReaderPool> pool(new ReaderPool());  // NOLINT: private constructor
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    GH_ASSIGN_OR_RETURN(auto reader, ReaderSource::launch(options));
    pool->readers_.push_back(std::move(reader));
  }
  return pool;
}

Status ReaderPool::greet() {
  for (auto& reader : readers_) GH_RETURN_IF_ERROR(reader->greet());
  return {};
}

void ReaderPool::expect(std::vector<TableRequest> requests) {
  std::vector<std::vector<TableRequest>> by_lane(readers_.size());
  for (auto& request : requests) by_lane.at(lane_of(request)).push_back(std::move(request));
  for (std::size_t lane = 0; lane < readers_.size(); ++lane) readers_[lane]->expect(std::move(by_lane[lane]));
}

std::unique_ptr<TableData> ReaderPool::read(const TableRequest& request) {
  return readers_.at(lane_of(request))->read(request);
}

}  // namespace gpuharden
