// SPDX-License-Identifier: GPL-2.0-or-later
// The power goes at every moment of an apply, of a rollback: what is on the disk then is either everything that was
// done, or only what was made durable. The next boot's recovery gives the tree before or the tree after.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tests/apply/disk_model.h"

namespace gpuharden::test {
namespace {

Snapshot without_times(Snapshot snapshot) {
  for (auto& [path, state] : snapshot) state.modified = {};
  return snapshot;
}

class PowerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "owners can only be changed as root";
    before_ = snapshot_of(machine_.root());
  }

  // The disk at each moment of what `run` does with the machine.
  std::vector<RecordingCalls::Moment> record(const std::function<void(Session&)>& run) {
    auto paths = snapshot_of(machine_.root());
    for (const auto& [path, state] : journal_files()) paths[path] = state;
    DiskModel model(paths);
    RecordingCalls calls(machine_.root(), model);
    Session session(machine_, calls);
    if (!session.start()) throw std::runtime_error("no journal");
    run(session);
    return calls.moments();
  }

  std::map<std::string, FileState> journal_files() const {
    std::map<std::string, FileState> paths;
    const auto tree = TreeWriter::open(machine_.root(), system_write_calls());
    for (const auto* path : {"/var/lib/gpuharden", "/var/lib/gpuharden/lock", "/var/lib/gpuharden/transactions",
                             "/var/lib/gpuharden/transactions/20261130T120000Z-0001.journal"}) {
      auto state = (*tree)->capture(path);
      if (state && state->exists) paths[path] = *state;
    }
    return paths;
  }

  // After the next boot's recovery on that disk: "" when the tree is as before, or, where the journal says that
  // it was finished, as after.
  std::string recovered(const std::map<std::string, FileState>& disk, const Snapshot& after) {
    write_tree(machine_.root(), disk);
    std::ofstream(machine_.kernel_file()) << FileKernel::initial_state();
    Session session(machine_);
    if (const auto started = session.start(); !started) return started.error().message;
    if (const auto done = session.executor->recover({5000, 10, "boot-2"}); !done) return done.error().message;
    const auto transactions = read_journals(session.tree->files());
    if (!transactions) return transactions.error().message;
    const bool is_applied = !transactions->empty() && transactions->front().state == TransactionState::kApplied;
    is_applied ? ++finished_ : ++taken_back_;
    const auto found = snapshot_of(machine_.root());
    // What was edited has the time of its edit, which the model does not follow.
    return is_applied ? difference(without_times(found), without_times(after)) : difference(found, before_);
  }

  void check(const std::vector<RecordingCalls::Moment>& moments, const Snapshot& after) {
    for (std::size_t at = 0; at < moments.size(); ++at) {
      ASSERT_EQ(recovered(moments[at].everything, after), "") << "all of change " << at << ": " << moments[at].change;
      ASSERT_EQ(recovered(moments[at].durable, after), "") << "durable at " << at << ": " << moments[at].change;
    }
    std::printf("the power went at %zu moments, each with all and with durable changes: %d taken back, %d finished\n",
                moments.size(), taken_back_, finished_);
    EXPECT_GT(taken_back_, 0);
    EXPECT_GT(finished_, 0);
  }

  Machine machine_;
  Snapshot before_;
  int taken_back_ = 0;
  int finished_ = 0;
};

TEST_F(PowerTest, AnApplyIsThereOrNot) {
  const auto moments = record([&](Session& session) {
    const auto result = session.executor->apply(machine_.header(), machine_.plan());
    EXPECT_EQ(result.outcome, ExecuteOutcome::kDone) << result.reason;
  });
  check(moments, snapshot_of(machine_.root()));
}

TEST_F(PowerTest, ARollbackIsThereOrNot) {
  {
    Session session(machine_);
    ASSERT_TRUE(session.start());
    session.executor->apply(machine_.header(), machine_.plan());
  }
  const auto after = snapshot_of(machine_.root());
  const auto moments = record([&](Session& session) {
    const auto transactions = read_journals(session.tree->files());
    const auto result = session.executor->revert(transactions->front(), "asked", OnConflict::kRefuse);
    EXPECT_TRUE(result.is_done);
  });
  check(moments, after);
}

// The model itself: what it calls durable.
TEST(DiskModel, KeepsOnlyWhatWasSynced) {
  DiskModel model({{"/etc", new_folder()}, {"/etc/a", new_file("old")}});
  model.create("/etc/.a.new", new_file(""));
  model.at("/etc/.a.new").bytes = "new";
  model.rename("/etc/.a.new", "/etc/a");
  EXPECT_EQ(model.everything().at("/etc/a").bytes, "new");
  EXPECT_EQ(model.durable().at("/etc/a").bytes, "old");
  model.sync("/etc");
  EXPECT_EQ(model.durable().at("/etc/a").bytes, "");  // the name without the contents
  model.sync("/etc/a");
  EXPECT_EQ(model.durable().at("/etc/a").bytes, "new");
  model.remove("/etc/a");
  EXPECT_EQ(model.durable().count("/etc/a"), 1U);
  model.sync("/etc");
  EXPECT_EQ(model.durable().count("/etc/a"), 0U);
}

}  // namespace
}  // namespace gpuharden::test
