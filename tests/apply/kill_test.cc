// SPDX-License-Identifier: GPL-2.0-or-later
// SIGKILL before and after every change that an apply, a rollback and a recovery make: the next run takes
// everything back, or leaves what was finished.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/apply/machine.h"

namespace gpuharden::test {
namespace {

class KillTest : public testing::TestWithParam<const MachineKind*> {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "owners can only be changed as root";
    before_ = snapshot_of(machine_.root());
    kernel_before_ = machine_.kernel_state();
  }

  void apply(const Faults& faults) const {
    Session session(machine_, faults);
    if (session.start()) session.executor->apply(machine_.header(), machine_.plan());
  }
  void roll_back(const Faults& faults) const {
    Session session(machine_, faults);
    if (!session.start()) return;
    const auto transactions = read_journals(session.tree->files());
    for (const auto& transaction : *transactions) session.executor->revert(transaction, "asked", OnConflict::kRefuse);
  }
  static void recover(const Machine& machine, const Faults& faults) {
    Session session(machine, faults);
    if (session.start()) (void)session.executor->recover({2000, 2000, "boot-1"}).has_value();
  }

  std::string wrong() const {
    std::string text = difference(snapshot_of(machine_.root()), before_);
    return machine_.kernel_state() == kernel_before_ ? text : text + machine_.kernel_state();
  }

  // Whether the transaction is over, and how.
  std::string state() const {
    const Session session(machine_);
    const auto transactions = read_journals(session.tree->files());
    if (!transactions) return transactions.error().message;
    return transactions->empty() ? "none" : std::string(to_string(transactions->front().state));
  }

  Machine machine_{*GetParam()};
  Snapshot before_;
  std::string kernel_before_;
};

// Under the sanitizers the moments are sampled: what they look for does not depend on the moment.
int stride(const MachineKind* kind) {
#ifdef __SANITIZE_ADDRESS__
  return kind == &kLockedServer ? 11 : 5;
#else
  (void)kind;
  return 1;
#endif
}
bool is_sampled(const MachineKind* kind) { return stride(kind) > 1; }

Faults killed(int number, bool after) {
  Faults faults;
  (after ? faults.kill_after : faults.kill_before) = number;
  return faults;
}

TEST_P(KillTest, AnApplyIsTakenBackByTheNextRun) {
  int runs = 0;
  for (const bool after : {false, true}) {
    for (int number = 0;; number += stride(GetParam())) {
      machine_.reset();
      if (!is_killed_in([&] { apply(killed(number, after)); })) break;
      recover(machine_, {});
      ++runs;
      // Killed after its last line, it is done and not taken back.
      if (state() == "applied") continue;
      ASSERT_EQ(wrong(), "") << "killed " << (after ? "after" : "before") << " change " << number;
    }
    EXPECT_EQ(state(), "applied");
  }
  RecordProperty("runs", runs);
  std::printf("an apply was killed %d times\n", runs);
  EXPECT_GT(runs, is_sampled(GetParam()) ? 10 : 100);
}

TEST_P(KillTest, ARollbackIsFinishedByTheNextRun) {
  int runs = 0;
  for (const bool after : {false, true}) {
    for (int number = 0;; number += stride(GetParam())) {
      machine_.reset();
      apply({});
      ASSERT_EQ(state(), "applied");
      if (!is_killed_in([&] { roll_back(killed(number, after)); })) break;
      ++runs;
      recover(machine_, {});
      if (state() == "applied") continue;  // killed before it had begun
      ASSERT_EQ(state(), "reverted");
      ASSERT_EQ(wrong(), "") << "killed " << (after ? "after" : "before") << " change " << number;
    }
  }
  std::printf("a rollback was killed %d times\n", runs);
  EXPECT_GT(runs, is_sampled(GetParam()) ? 10 : 60);
}

TEST_P(KillTest, ARecoveryIsFinishedByTheNextOne) {
  int changes = 0;
  {
    Session session(machine_);
    ASSERT_TRUE(session.start());
    session.executor->apply(machine_.header(), machine_.plan());
    changes = session.faults.count();
  }
  int runs = 0;
  // Every recovery of some interrupted applies, killed at every change.
  for (int first = changes / 3; first < changes; first += std::max(1, changes / 6)) {
    for (int number = 0;; number += stride(GetParam())) {
      machine_.reset();
      ASSERT_TRUE(is_killed_in([&] { apply(killed(first, false)); }));
      if (!is_killed_in([&] { recover(machine_, killed(number, number % 2 == 1)); })) break;
      ++runs;
      recover(machine_, {});
      ASSERT_EQ(wrong(), "") << "apply killed before change " << first << ", recovery at " << number;
    }
  }
  std::printf("a recovery was killed %d times\n", runs);
  EXPECT_GT(runs, is_sampled(GetParam()) ? 10 : 100);
}

TEST_P(KillTest, AFailingCallIsTakenBackAtOnce) {
  int runs = 0;
  for (const int error : {ENOSPC, EIO}) {
    int changes = 1;
    for (int number = 0; number < changes; number += stride(GetParam())) {
      machine_.reset();
      Faults faults;
      faults.fail_at = number;
      faults.error = error;
      Session session(machine_, faults);
      const auto started = session.start();
      if (started) {
        const auto result = session.executor->apply(machine_.header(), machine_.plan());
        if (result.outcome == ExecuteOutcome::kDone) continue;  // it failed where that does not matter
        EXPECT_NE(result.outcome, ExecuteOutcome::kLeftBehind) << number << ": " << result.reason;
      }
      changes = std::max(changes, number + stride(GetParam()) + 1);
      ++runs;
      ASSERT_EQ(wrong(), "") << "change " << number << " failed with " << error;
    }
  }
  std::printf("a call failed %d times\n", runs);
  EXPECT_GT(runs, is_sampled(GetParam()) ? 10 : 100);
}

INSTANTIATE_TEST_SUITE_P(Machines, KillTest, testing::Values(&kEveryKindOfStep, &kLockedServer),
                         [](const testing::TestParamInfo<const MachineKind*>& kind) {
                           return kind.param == &kLockedServer ? "Locked" : "EveryKindOfStep";
                         });

}  // namespace
}  // namespace gpuharden::test
