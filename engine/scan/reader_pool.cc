// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/reader_pool.h"

#include <poll.h>
#include <sched.h>

#include <algorithm>

namespace gpuharden {
namespace {

// A reader for each lane, where there are processors for them: the parent needs one now and then too.
std::size_t useful_readers() {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  const bool is_known = ::sched_getaffinity(0, sizeof processors, &processors) == 0;
  const auto count = is_known ? static_cast<std::size_t>(CPU_COUNT(&processors)) : kTableLanes;
  return std::clamp<std::size_t>(count, 2, kTableLanes);
}

}  // namespace

Result<std::unique_ptr<ReaderPool>> ReaderPool::launch(const ReaderOptions& options) {
  std::unique_ptr<ReaderPool> pool(new ReaderPool());  // NOLINT: private constructor
  for (auto left = useful_readers(); left > 0; --left) {
    GH_ASSIGN_OR_RETURN(auto reader, ReaderSource::launch(options));
    pool->readers_.push_back(std::move(reader));
  }
  return pool;
}

Status ReaderPool::greet() {
  for (auto& reader : readers_) GH_RETURN_IF_ERROR(reader->greet());
  return {};
}

std::size_t ReaderPool::reader_of(const TableRequest& request) const {
  return static_cast<std::size_t>(request.probe->schema.lane) % readers_.size();
}

void ReaderPool::expect(std::vector<TableRequest> requests) {
  std::vector<std::vector<TableRequest>> by_reader(readers_.size());
  for (auto& request : requests) by_reader.at(reader_of(request)).push_back(std::move(request));
  for (std::size_t i = 0; i < readers_.size(); ++i) readers_[i]->expect(std::move(by_reader[i]));
}

std::vector<const Probe*> ReaderPool::wait() {
  std::vector<const Probe*> arrived;
  while (arrived.empty() && is_busy()) arrived = take();
  return arrived;
}

bool ReaderPool::is_busy() const {
  return std::any_of(readers_.begin(), readers_.end(), [](const auto& reader) { return reader->is_busy(); });
}

// From whoever has something; one whose patience is over, or that is gone, is made to notice.
std::vector<const Probe*> ReaderPool::take() {
  std::vector<ReaderSource*> busy;
  std::vector<pollfd> sockets;
  auto patience = std::chrono::milliseconds::max();
  for (const auto& reader : readers_) {
    if (!reader->is_busy()) continue;
    busy.push_back(reader.get());
    sockets.push_back({reader->descriptor(), POLLIN, 0});
    patience = std::min(patience, reader->descriptor() < 0 ? std::chrono::milliseconds(0) : reader->patience());
  }
  ::poll(sockets.data(), sockets.size(), static_cast<int>(patience.count()));
  std::vector<const Probe*> arrived;
  for (std::size_t i = 0; i < busy.size(); ++i) {
    const bool must_notice = sockets[i].fd < 0 || busy[i]->patience().count() == 0;
    if (sockets[i].revents == 0 && !must_notice) continue;
    for (const Probe* probe : busy[i]->take()) arrived.push_back(probe);
  }
  return arrived;
}

std::unique_ptr<TableData> ReaderPool::read(const TableRequest& request) {
  return readers_.at(reader_of(request))->read(request);
}

}  // namespace gpuharden
