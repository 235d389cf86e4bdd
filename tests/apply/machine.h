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

class Machine;

// What there is, and what is to be done about it.
struct MachineKind {
  void (*fill)(const std::string& root);           // an empty folder
  std::string (*kernel)(const std::string& root);  // the state of a FileKernel
  std::vector<Step> (*plan)(const Machine& machine);
};
// A plan with every kind of step, two and more of most.
extern const MachineKind kEveryKindOfStep;
// What the policy `locked` does to the server tests/hosts/nvidia-bad, all risks accepted.
extern const MachineKind kLockedServer;

class Machine {
 public:
  explicit Machine(const MachineKind& kind = kEveryKindOfStep);
  const std::string& root() const { return root_; }
  const std::string& kernel_file() const { return kernel_file_; }
  std::string kernel_state() const;

  // For the machine as it was made.
  const std::vector<Step>& plan() const { return plan_; }
  TransactionHeader header() const;
  // Puts everything back as it was made.
  void reset();

 private:
  const MachineKind& kind_;
  TemporaryFolder folder_;
  std::string root_, kernel_file_;
  std::vector<Step> plan_;
};

// As if it had not been touched for years.
void make_old(const std::string& path);

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
