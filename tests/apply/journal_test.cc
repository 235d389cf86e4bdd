// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/journal.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/apply/confirm.h"
#include "engine/apply/step_json.h"
#include "tests/apply/machine.h"

namespace gpuharden::test {
namespace {

Transaction unconfirmed() {
  Transaction transaction;
  transaction.state = TransactionState::kApplied;
  transaction.header.boot_id = "boot";
  transaction.header.confirm_until = 1000;
  transaction.header.confirm_until_uptime = 50;
  return transaction;
}

TEST(Window, ClosesByEitherClockAndByABoot) {
  auto transaction = unconfirmed();
  EXPECT_FALSE(is_to_be_reverted(transaction, {999, 49, "boot"}));
  EXPECT_TRUE(is_to_be_reverted(transaction, {1000, 49, "boot"}));
  // The wall clock was set back.
  EXPECT_TRUE(is_to_be_reverted(transaction, {10, 50, "boot"}));
  EXPECT_TRUE(is_to_be_reverted(transaction, {10, 1, "another boot"}));
  transaction.header.survives_boot = true;
  EXPECT_FALSE(is_to_be_reverted(transaction, {10, 60, "another boot"}));
  EXPECT_TRUE(is_to_be_reverted(transaction, {1000, 1, "another boot"}));
  transaction.state = TransactionState::kConfirmed;
  EXPECT_FALSE(is_to_be_reverted(transaction, {5000, 5000, "boot"}));
}

TEST(Window, WithoutOneWhatIsDoneStays) {
  Transaction transaction;
  transaction.state = TransactionState::kApplied;
  EXPECT_FALSE(is_to_be_reverted(transaction, {5000, 5000, "another boot"}));
  transaction.state = TransactionState::kBegun;
  EXPECT_TRUE(is_to_be_reverted(transaction, {0, 0, ""}));
  transaction.state = TransactionState::kReverting;
  EXPECT_TRUE(is_to_be_reverted(transaction, {0, 0, ""}));
}

std::string first_line() {
  std::string digest;
  return journal_line({},
                      R"({"format":1,"id":"a","tool_version":"","profile":"","started":1,"boot_id":"",)"
                      R"("confirm_until":null,"confirm_until_uptime":null,"survives_boot":false,"steps":[]})",
                      digest);
}

TEST(Journal, ATornLineIsNotBelieved) {
  std::string digest;
  const std::string first = first_line();
  const auto before = parse_journal(first);
  ASSERT_TRUE(before) << before.error().message;
  const std::string second =
      journal_line(before->digest, R"({"state":"applied","time":2,"reason":"","kept":[]})", digest);
  EXPECT_EQ(parse_journal(first + second)->transaction.state, TransactionState::kApplied);
  for (std::size_t cut = 0; cut < second.size(); ++cut) {
    const auto parsed = parse_journal(first + second.substr(0, cut));
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->transaction.state, TransactionState::kBegun);
    EXPECT_EQ(parsed->length, first.size());
  }
  // A line of another journal does not count here.
  std::string foreign = journal_line("0000", R"({"state":"applied","time":2,"reason":"","kept":[]})", digest);
  EXPECT_EQ(parse_journal(first + foreign)->transaction.state, TransactionState::kBegun);
}

TEST(Journal, ADamagedFirstLineIsAnError) {
  const std::string first = first_line();
  for (std::size_t at = 0; at + 1 < first.size(); at += 7) {
    std::string damaged = first;
    damaged[at] = damaged[at] == 'x' ? 'y' : 'x';
    EXPECT_FALSE(parse_journal(damaged)) << at;
  }
  EXPECT_FALSE(parse_journal(""));
}

TEST(StepJson, EveryKindComesBackTheSame) {
  const Machine machine;
  for (const auto& step : machine.plan()) {
    const auto json = to_json(step);
    const auto back = step_from_json(nlohmann::json::parse(json.dump()));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(to_json(*back), json);
  }
  EXPECT_FALSE(step_from_json(nlohmann::json::parse("{}")));
  EXPECT_FALSE(step_from_json(nlohmann::json::parse(R"({"rules":[],"kind":"magic"})")));
  EXPECT_FALSE(step_from_json(nlohmann::json::parse(R"({"rules":[],"kind":"file","path":7})")));
}

// A process tree by /proc as the kernel writes it; btime 1000, 100 ticks a second.
void put_process(Capture& capture, int pid, const std::string& name, int parent, int terminal, int start_ticks) {
  capture.file("/proc/" + std::to_string(pid) + "/stat",
               std::to_string(pid) + " (" + name + ") S " + std::to_string(parent) + " 1 1 " +
                   std::to_string(terminal) + " 0 0 0 0 0 0 0 0 0 0 20 0 1 0 " + std::to_string(start_ticks) + " 0\n");
}

TEST(Confirm, CountsFromASessionThatBeganLater) {
  Capture capture;
  capture.file("/proc/stat", "cpu 1\nbtime 1000\n");
  put_process(capture, 10, "sshd", 1, 0, 100);     // the daemon
  put_process(capture, 20, "sshd", 10, 0, 50000);  // the session, at 1500
  put_process(capture, 30, "bash) x (", 20, 0x8800, 50100);
  put_process(capture, 40, "getty", 1, 0x401, 100);  // tty1
  put_process(capture, 50, "cron", 1, 0, 60000);
  const auto host = capture.open();
  EXPECT_TRUE(came_after(host->files(), 1400, 30));
  EXPECT_FALSE(came_after(host->files(), 1600, 30));
  EXPECT_TRUE(came_after(host->files(), 1600, 40));
  EXPECT_FALSE(came_after(host->files(), 1, 50));
  EXPECT_FALSE(came_after(host->files(), 1, 99));
}

}  // namespace
}  // namespace gpuharden::test
