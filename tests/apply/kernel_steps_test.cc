// SPDX-License-Identifier: GPL-2.0-or-later
// What a kernel does after it has said yes: records are lost, a table does not load, a reload would take GPUs away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/apply/machine.h"

namespace gpuharden::test {
namespace {
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class KernelSteps : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "owners can only be changed as root";
    before_ = snapshot_of(machine_.root());
  }
  void change_kernel(const std::string& key, const nlohmann::json& value) {
    auto state = nlohmann::json::parse(machine_.kernel_state());
    state[key] = value;
    std::ofstream(machine_.kernel_file()) << state.dump();
    kernel_before_ = machine_.kernel_state();
  }
  ExecuteResult apply(const std::vector<Step>& steps) {
    Session session(machine_);
    EXPECT_TRUE(session.start());
    return session.executor->apply(machine_.header(), steps);
  }
  RevertResult roll_back() {
    Session session(machine_);
    EXPECT_TRUE(session.start());
    const auto transactions = read_journals(session.tree->files());
    return session.executor->revert(transactions->front(), "asked", OnConflict::kRefuse);
  }

  Machine machine_;
  Snapshot before_;
  std::string kernel_before_;
};

// C97: rules that make the kernel lose records do not stay.
TEST_F(KernelSteps, RulesThatLoseRecordsAreTakenBack) {
  change_kernel("losses", 3);
  const auto result = apply(machine_.plan());
  EXPECT_EQ(result.outcome, ExecuteOutcome::kTakenBack);
  EXPECT_THAT(result.reason, HasSubstr("lost 3 records"));
  EXPECT_EQ(difference(snapshot_of(machine_.root()), before_), "");
  EXPECT_EQ(machine_.kernel_state(), kernel_before_);
}

// C119: what the kernel cannot load, for a module that is missing or locked out, is refused before anything changes.
TEST_F(KernelSteps, ATableThatDoesNotLoadIsRefusedAtOnce) {
  change_kernel("losses", 0);
  auto steps = machine_.plan();
  for (auto& step : steps) {
    if (auto* table = std::get_if<TableStep>(&step.body)) table->after = "table inet gpuharden { broken }";
  }
  const auto result = apply(steps);
  EXPECT_EQ(result.outcome, ExecuteOutcome::kRefused);
  EXPECT_THAT(result.reason, HasSubstr("does not load"));
  EXPECT_EQ(difference(snapshot_of(machine_.root()), before_), "");
  EXPECT_EQ(machine_.kernel_state(), kernel_before_);
}

// C90: files can go back, rules that the kernel has locked cannot.
TEST_F(KernelSteps, ARollbackSaysThatLockedAuditRulesStay) {
  const FileState rules = new_file("-w /etc/group -p wa -k gpuharden\n", 0640);
  std::filesystem::create_directories(machine_.root() + "/etc/audit/rules.d");
  ASSERT_EQ(
      apply({{{"test.audit"}, FileStep{"/etc/audit/rules.d/60-gpuharden.rules", no_file(), rules, false}}}).outcome,
      ExecuteOutcome::kDone);
  change_kernel("enabled", 2);
  const auto result = roll_back();
  EXPECT_TRUE(result.is_done);
  EXPECT_THAT(result.pending, testing::ElementsAre(HasSubstr("until the next boot: they are locked")));
}

// C173, on the way back: the files go back, the reload is said and left.
TEST_F(KernelSteps, ARollbackLeavesAReloadThatTakesGpusAway) {
  ASSERT_EQ(apply(machine_.plan()).outcome, ExecuteOutcome::kDone);
  change_kernel("victims", {"python3 (pid 10)"});
  const auto result = roll_back();
  EXPECT_TRUE(result.is_done);
  EXPECT_THAT(result.failures, IsEmpty());
  EXPECT_THAT(result.conflicts, IsEmpty());
  EXPECT_THAT(result.pending, Contains(HasSubstr("daemon-reload is left to you: it takes the GPUs from python3")));
  EXPECT_EQ(difference(snapshot_of(machine_.root()), before_), "");
}

}  // namespace
}  // namespace gpuharden::test
