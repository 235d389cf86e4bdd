// SPDX-License-Identifier: GPL-2.0-or-later
// Does the steps of a transaction, all or none, and takes transactions back.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/apply/journal.h"
#include "engine/apply/transaction.h"

namespace gpuharden {

enum class ExecuteOutcome {
  kDone,
  kRefused,     // nothing was changed, and nothing was written down
  kTakenBack,   // a step failed, and the machine is as before
  kLeftBehind,  // a step failed, and something could not be taken back
};

struct ExecuteResult {
  ExecuteOutcome outcome = ExecuteOutcome::kDone;
  std::string reason;             // why it is not done
  std::vector<std::string> left;  // what was not taken back, and why
};

// What a rollback does where someone else has changed what it would take back.
enum class OnConflict {
  kRefuse,  // nothing at all is changed
  kSkip,    // these stay as they are
  kForce,   // these go back as well; the other version is kept beside the journal
};

struct RevertResult {
  bool is_done = false;                // false: nothing was changed (kRefuse), or it must be tried again
  std::vector<std::string> conflicts;  // a sentence each
  std::vector<std::string> failures;   // other than conflicts; the transaction stays open
  std::vector<std::string> pending;    // what is in force only later, or is left to people: no failure
};

class Executor {
 public:
  // All outlive the executor.
  Executor(TreeWriter& tree, KernelControl& kernel, Journal& journal)
      : tree_(tree), kernel_(kernel), journal_(journal) {}

  // Looks at every step first: refused when one may not be done, or when the machine is not as it was planned
  // on. Then all before-images are written down, then the steps are done and looked at again. `steps` are
  // sorted by phase_of().
  ExecuteResult apply(const TransactionHeader& header, const std::vector<Step>& steps);

  // Takes a transaction back, newest step first; services are told last.
  RevertResult revert(const Transaction& transaction, const std::string& reason, OnConflict on_conflict);

  // Takes back whatever was interrupted or not confirmed in time, newest first. Empty when there was nothing.
  Result<std::vector<std::string>> recover(const Clocks& clocks);

 private:
  Status check(const std::vector<Step>& steps, Workbench& bench);
  Status check_space(const std::vector<Step>& steps);
  Status run(const std::vector<Step>& steps, Workbench& bench);
  std::vector<std::string> conflicts_of(const Transaction& transaction, Workbench& bench);
  Status undo(const Transaction& transaction, const Step& step, OnConflict on_conflict, Workbench& bench);
  Status keep_other_version(const Transaction& transaction, const FileStep& step, const FileState& found);

  TreeWriter& tree_;
  KernelControl& kernel_;
  Journal& journal_;
};

}  // namespace gpuharden
