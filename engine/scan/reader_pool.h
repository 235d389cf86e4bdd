// SPDX-License-Identifier: GPL-2.0-or-later
// One reader for each lane of tables, side by side; lanes share a reader where there are few processors.
#pragma once

#include <memory>
#include <vector>

#include "engine/scan/reader.h"

namespace gpuharden {

class ReaderPool final : public TableSource {
 public:
  // Starts the readers and does not wait for them.
  static Result<std::unique_ptr<ReaderPool>> launch(const ReaderOptions& options);
  // Waits for the first words of each; see ReaderSource::greet().
  Status greet();
  // After greet().
  const HostHello& hello() const { return readers_.front()->hello(); }

  void expect(std::vector<TableRequest> requests) override;
  std::vector<const Probe*> wait() override;
  std::unique_ptr<TableData> read(const TableRequest& request) override;

 private:
  ReaderPool() = default;
  std::size_t reader_of(const TableRequest& request) const;
  std::vector<const Probe*> take();
  bool is_busy() const;
  std::vector<std::unique_ptr<ReaderSource>> readers_;  // by lane, modulo their number
};

}  // namespace gpuharden
