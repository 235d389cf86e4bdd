// SPDX-License-Identifier: GPL-2.0-or-later
// A small machine to be changed: a root folder with everything that an undo must bring back, and a played kernel.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/apply/executor.h"
#include "tests/apply/faults.h"
#include "tests/support/capture.h"
#include "tests/support/snapshot.h"

namespace gpuharden::test {

class Machine {
 public:
  Machine();
  const std::string& root() const { return root_; }
  const std::string& kernel_file() const { return kernel_file_; }
  std::string kernel_state() const;

  // A plan with every kind of step, two and more of most.
  std::vector<Step> plan() const;
  TransactionHeader header() const;
  // Puts everything back as it was made.
  void reset();

 private:
  TemporaryFolder folder_;
  std::string root_, kernel_file_;
};

// All that works on a machine, with faults of its own.
struct Session {
  explicit Session(const Machine& machine, Faults faults_at = {});
  // With other calls than the faulty ones.
  Session(const Machine& machine, WriteCalls& calls);
  // Opens the journal and the executor; the error where that fails.
  Status start();

  Faults faults;
  FaultyCalls calls;
  FileKernel kernel;
  std::unique_ptr<TreeWriter> tree;
  std::unique_ptr<Journal> journal;
  std::unique_ptr<Executor> executor;
};

// Runs it in a child process; whether that was killed.
bool is_killed_in(const std::function<void()>& run);

}  // namespace gpuharden::test
