// SPDX-License-Identifier: GPL-2.0-or-later
// The reader: a process without rights that reads the host and streams rows and gaps.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/handle.h"
#include "engine/host/host.h"
#include "engine/scan/table_source.h"
#include "engine/scan/wire.h"

namespace gpuharden {

struct ReaderOptions {
  // Opens the audited host; called in the reader before it gives up its rights.
  std::function<Result<std::unique_ptr<Host>>()> open_host;
  std::chrono::milliseconds table_deadline{10'000};
  std::chrono::milliseconds total_deadline{60'000};
  // Called with a table's name when the reader begins it; for progress on a terminal.
  std::function<void(std::string_view)> on_table;
};

// What the reader says of the host before anything else.
struct HostHello {
  KernelName kernel;
  std::string boot_id;
  bool privileged = false;
  std::vector<std::string> warnings;
};

// Tables by way of a reader. A reader that dies or overstays a table's deadline costs that table and
// is left behind; the next one goes on with the rest.
class ReaderSource final : public TableSource {
 public:
  // Starts the reader and does not wait for it: tables may be asked for at once.
  static Result<std::unique_ptr<ReaderSource>> launch(ReaderOptions options);
  // Waits for the reader's first words. An error when the host cannot be opened or the reader cannot
  // give up its rights: then nothing can be read.
  Status greet() { return wait_for_hello(); }
  // Both.
  static Result<std::unique_ptr<ReaderSource>> start(ReaderOptions options);
  ~ReaderSource() override;

  // After greet().
  const HostHello& hello() const { return hello_; }
  void expect(std::vector<TableRequest> requests) override;
  std::vector<const Probe*> wait() override;
  std::unique_ptr<TableData> read(const TableRequest& request) override;

  // For those who wait for several readers: whether some table is outstanding; what is readable when there is
  // something to take, -1 when no reader is left; how long take() would wait for it at most.
  bool is_busy() const;
  int descriptor() const { return socket_.get(); }
  std::chrono::milliseconds patience() const;
  // Takes what there is, and says which tables are whole since the last time.
  std::vector<const Probe*> take();

 private:
  using Clock = std::chrono::steady_clock;
  struct Pending {
    TableRequest request;
    std::unique_ptr<TableData> data;
    bool done = false;
  };

  explicit ReaderSource(ReaderOptions options);
  Status spawn();
  Status wait_for_hello();
  void leave_behind();
  std::uint64_t ask(TableRequest request);
  void send(const std::string& frame);
  // Waits for bytes and takes their frames; a reader that fails is replaced.
  void pump();
  std::string_view receive(std::chrono::milliseconds patience);
  Status take_frames();
  Status take_frame(std::string_view payload);
  void finish(Pending& pending);
  void replace(const std::string& why);
  void fail_everything(const std::string& why);
  bool time_is_over() const;

  ReaderOptions options_;
  HostHello hello_;
  bool greeted_ = false;
  std::string refusal_;     // why the reader could not start
  std::string end_reason_;  // why there is no reader any more
  UniqueFd socket_;
  pid_t child_ = -1;
  FrameBuffer buffer_;
  std::unique_ptr<char[]> scratch_;  // what receive() receives into
  std::vector<Value> cells_;         // of the row that is being taken
  std::uint64_t next_id_ = 1;
  std::map<std::uint64_t, Pending> pending_;
  std::map<std::string, std::uint64_t, std::less<>> ids_;  // by table and arguments
  std::vector<const Probe*> arrived_;                      // since the last take()
  std::uint64_t current_ = 0;                              // what the reader is at; 0: nothing
  Clock::time_point begun_;
  Clock::time_point end_of_time_;
};

// The loop of the reader process: requests from `socket`, frames to it, until it is closed. Probes share `shared`.
void run_reader(int socket, const Host& host, SharedFacts& shared);

}  // namespace gpuharden
