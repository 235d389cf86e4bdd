// SPDX-License-Identifier: GPL-2.0-or-later
// A case's host as a real tree of files, to be fixed and looked at again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/apply/executor.h"
#include "engine/apply/plan.h"
#include "tests/support/case_file.h"

namespace gpuharden::test {

class FixedTree {
 public:
  // Files with the owners, modes and attributes that the capture lays over them; nodes of devices are made.
  explicit FixedTree(const RuleCase& rule_case);

  std::string root() const { return capture_->root(); }
  const Rule& rule() const { return rule_; }
  // The rule's verdict on the tree as it is now.
  RuleFinding judge() const;
  // What would be done about it, all risks accepted.
  Plan plan() const;
  ExecuteResult apply(const Plan& plan, const std::string& id) const;
  // Everything, newest first.
  std::vector<std::string> roll_back() const;

 private:
  std::unique_ptr<Capture> capture_;
  Rule rule_;
};

}  // namespace gpuharden::test
