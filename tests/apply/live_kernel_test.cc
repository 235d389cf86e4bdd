// SPDX-License-Identifier: GPL-2.0-or-later
// Steps that change a kernel, on a real one: in a network namespace of their own, and audit rules of own keys where
// this machine may be used for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <functional>

#include "engine/apply/executor.h"
#include "engine/base/text.h"
#include "engine/native/audit_control.h"
#include "engine/native/child_call.h"
#include "tests/support/audit_kernel.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {
using testing::Contains;
using testing::HasSubstr;

constexpr const char* kTable =
    "table inet gpuharden {\n\tchain guard {\n\t\ttype filter hook prerouting priority dstnat - 10; policy accept;\n"
    "\t\ttcp dport 8000 counter drop\n\t}\n}\n";

// A tree of files that is empty, the kernel of this process, and what does steps on both.
class LiveSession {
 public:
  LiveSession() {
    tree_ = std::move(TreeWriter::open(folder_.path(), system_write_calls())).value();
    journal_ = std::move(Journal::open(*tree_)).value();
    executor_ = std::make_unique<Executor>(*tree_, *kernel, *journal_);
  }
  ExecuteResult apply(std::vector<Step> steps) {
    TransactionHeader header;
    header.id = "20261130T120000-1234";
    header.boot_id = kernel->boot_id();
    return executor_->apply(header, std::move(steps));
  }
  RevertResult revert() {
    return executor_->revert(read_journals(tree_->files()).value().at(0), "test", OnConflict::kRefuse);
  }
  std::unique_ptr<KernelControl> kernel = make_live_kernel();

 private:
  TemporaryFolder folder_;
  std::unique_ptr<TreeWriter> tree_;
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<Executor> executor_;
};

// In a network namespace of its own; "" when all is well.
void expect_in_namespace(const std::function<std::string(LiveSession&)>& work) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make a network namespace";
  const auto faults = call_in_child("steps", std::chrono::minutes(2), [&]() -> Result<std::string> {
    if (::unshare(CLONE_NEWNET) != 0) return std::string("skip no network namespace");
    LiveSession session;
    return work(session);
  });
  ASSERT_TRUE(faults) << faults.error().message;
  if (faults->starts_with("skip ")) GTEST_SKIP() << faults->substr(5);
  EXPECT_EQ(*faults, "");
}

std::string table_and_sysctl(LiveSession& session) {
  auto& kernel = *session.kernel;
  const auto table = kernel.prove_table(kTable);
  const auto value = kernel.sysctl("net.ipv4.ip_forward");
  if (!table) return table.error().message;
  if (!value || *value != "0") return "a new namespace forwards";
  const auto done =
      session.apply({{{"x"}, SysctlStep{"net.ipv4.ip_forward", "0", "1"}}, {{"x"}, TableStep{"", *table}}});
  if (done.outcome != ExecuteOutcome::kDone) return "not done: " + done.reason;
  std::string faults;
  if (kernel.own_table().value() != *table) faults += "the table is another\n";
  if (kernel.sysctl("net/ipv4/ip_forward").value() != "1") faults += "the value is another\n";
  const auto undone = session.revert();
  if (!undone.is_done) faults += "not taken back: " + join(undone.failures, ", ");
  if (!kernel.own_table()->empty() || kernel.sysctl("net.ipv4.ip_forward").value() != "0") faults += "not as before\n";
  return faults;
}

std::string refused(LiveSession& session) {
  const auto broken = session.apply({{{"x"}, TableStep{"", "table inet gpuharden {\n\tjump nowhere\n}\n"}}});
  if (broken.outcome != ExecuteOutcome::kRefused) return "a table that does not load is not refused";
  // Not as nft lists it: what was loaded could not be told from what someone else loads.
  const auto unproved = session.apply({{{"x"}, TableStep{"", kTable}}});
  if (unproved.outcome != ExecuteOutcome::kRefused) return "a table that reads back otherwise is not refused";
  return session.kernel->own_table().value();
}

TEST(LiveKernel, ATableAndAValueComeAndGo) { expect_in_namespace(&table_and_sysctl); }
TEST(LiveKernel, ATableThatDoesNotLoadIsRefused) { expect_in_namespace(&refused); }

TEST(LiveKernel, KnowsItsBootAndItsValues) {
  const auto kernel = make_live_kernel();
  EXPECT_TRUE(kernel->is_held());
  EXPECT_EQ(kernel->boot_id().size(), 36U);
  EXPECT_EQ(kernel->sysctl("kernel.ostype").value(), "Linux");
  EXPECT_EQ(kernel->sysctl("kernel/ostype").value(), "Linux");
  EXPECT_EQ(kernel->sysctl("kernel.no_such_value").error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(kernel->set_sysctl("kernel.ostype", "Other"));
  for (const auto* name : {"", ".", "kernel/../kernel/ostype", "kernel..ostype", "/kernel/ostype", "kernel."})
    EXPECT_EQ(kernel->sysctl(name).error().code, ErrorCode::kMalformed) << name;
}

TEST(AbsentKernel, HoldsNothing) {
  const auto kernel = make_absent_kernel();
  EXPECT_EQ(kernel->is_held().error().code, ErrorCode::kNotHeld);
  EXPECT_EQ(kernel->boot_id(), "");
  EXPECT_EQ(kernel->own_table().error().code, ErrorCode::kNotHeld);
  EXPECT_EQ(kernel->set_sysctl("kernel.ostype", "x").error().code, ErrorCode::kNotHeld);
  EXPECT_EQ(kernel->restart_unit("x.service").error().code, ErrorCode::kNotHeld);
}

TEST(LiveKernel, AuditRulesComeAndGo) {
  if (const auto reason = reason_to_leave_audit_alone(); !reason.empty()) GTEST_SKIP() << reason;
  const auto lock = lock_audit();
  ASSERT_TRUE(lock);
  const auto before = loaded_audit_rules().value();
  LiveSession session;
  const TemporaryFolder watched;
  const std::vector<std::string> rules = {concat({"-w ", watched.path(), " -p wa -k gpuharden-test-s1"}),
                                          "-a always,exit -F arch=b64 -S init_module -F key=gpuharden-test-s2"};
  const auto refused = session.apply({{{"x"}, AuditStep{rules, {rules[0], "-w /no/such/folder/x -p wa"}}}});
  EXPECT_EQ(refused.outcome, ExecuteOutcome::kRefused);
  EXPECT_EQ(loaded_audit_rules().value(), before);
  const auto done = session.apply({{{"x"}, AuditStep{rules, rules}}});
  EXPECT_EQ(done.outcome, ExecuteOutcome::kDone) << done.reason;
  for (const auto& rule : rules) EXPECT_THAT(loaded_audit_rules().value(), Contains(rule));
  EXPECT_TRUE(session.revert().is_done);
  EXPECT_EQ(loaded_audit_rules().value(), before);
  for (const auto& rule : rules) EXPECT_TRUE(delete_kernel_audit_rule(rule));
}

}  // namespace
}  // namespace gpuharden::test
