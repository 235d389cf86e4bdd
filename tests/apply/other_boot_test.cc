// SPDX-License-Identifier: GPL-2.0-or-later
// Taking back in another boot than that of the change, as gpuharden-recover.service does.
#include <gtest/gtest.h>

#include <fstream>

#include "engine/apply/step.h"
#include "tests/apply/faults.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

class OtherBoot : public testing::Test {
 protected:
  void kernel_is(const std::string& state) { std::ofstream(folder_.path() + "/kernel") << state; }
  Workbench bench(bool is_same_boot) { return {*tree_, kernel_, "test", is_same_boot}; }

  Capture capture_;
  TemporaryFolder folder_;
  Faults faults_;
  FileKernel kernel_{folder_.path() + "/kernel", faults_};
  std::unique_ptr<TreeWriter> tree_ = std::move(TreeWriter::open(capture_.root(), system_write_calls())).value();
};

TEST_F(OtherBoot, WhatIsNotUpYetIsNotRestarted) {
  kernel_is(R"({"active": false})");
  const UnitStep step{UnitStep::Verb::kRestart, "ollama.service"};
  auto later = bench(false);
  EXPECT_TRUE(undo_step(step, later));
  // In one boot it stopped because of the change, and is started again.
  auto same = bench(true);
  EXPECT_FALSE(undo_step(step, same));
}

TEST_F(OtherBoot, WhatRunsIsRestarted) {
  kernel_is(R"({"active": true})");
  auto later = bench(false);
  EXPECT_TRUE(undo_step(UnitStep{UnitStep::Verb::kRestart, "ollama.service"}, later));
  EXPECT_EQ(faults_.count(), 1);
}

TEST_F(OtherBoot, AValueThatTheBootSetIsNobodys) {
  kernel_is(R"({"sysctl": {"kernel.kptr_restrict": "2"}})");
  const SysctlStep step{"kernel.kptr_restrict", "0", "1"};
  auto later = bench(false);
  EXPECT_TRUE(may_undo(step, later));
  EXPECT_TRUE(undo_step(step, later));
  EXPECT_EQ(kernel_.sysctl(step.name).value(), "2");
  auto same = bench(true);
  EXPECT_FALSE(may_undo(step, same));
}

}  // namespace
}  // namespace gpuharden::test
