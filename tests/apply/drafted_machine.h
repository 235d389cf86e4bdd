// SPDX-License-Identifier: GPL-2.0-or-later
// A captured machine with a played kernel, on which actions draft what they would do.
#pragma once

#include <fstream>
#include <map>
#include <memory>
#include <string>

#include "engine/apply/plan_draft.h"
#include "tests/apply/faults.h"
#include "tests/support/capture.h"

namespace gpuharden::test {

class DraftedMachine {
 public:
  DraftedMachine() { std::ofstream(folder_.path() + "/kernel") << FileKernel::initial_state(); }

  // The machine is opened at the first one.
  Status plan(const std::string& action, std::map<std::string, std::string> args) {
    if (!draft_) open();
    draft_->begin("test.rule");
    auto status = find_action(action)->plan({"test.rule", "subject", std::move(args)}, *draft_);
    draft_->end(status.has_value());
    return status;
  }

 protected:
  void open() {
    host_ = capture_.open();
    tree_ = std::move(TreeWriter::open(capture_.root(), system_write_calls())).value();
    draft_ = std::make_unique<PlanDraft>(*host_, *tree_, kernel_);
  }

  Capture capture_;
  TemporaryFolder folder_;
  Faults faults_;
  FileKernel kernel_{folder_.path() + "/kernel", faults_};
  std::unique_ptr<Host> host_;
  std::unique_ptr<TreeWriter> tree_;
  std::unique_ptr<PlanDraft> draft_;
};

}  // namespace gpuharden::test
