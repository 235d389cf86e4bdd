// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/remediations/fixed_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "engine/scan/evaluate.h"
#include "tests/support/real_tree.h"
#include "tests/support/rule_tables.h"

namespace gpuharden::test {
namespace fs = std::filesystem;
namespace {

std::unique_ptr<TreeWriter> writer_of(const std::string& root) {
  auto tree = TreeWriter::open(root, system_write_calls());
  if (!tree) throw std::runtime_error(tree.error().message);
  return std::move(tree).value();
}

std::unique_ptr<Host> image_of(const std::string& root) {
  auto host = open_image_host(root);
  if (!host) throw std::runtime_error(host.error().message);
  return std::move(host).value();
}

}  // namespace

FixedTree::FixedTree(const RuleCase& rule_case) : capture_(rule_case.make_host()), rule_(rule_of(rule_case)) {
  capture_->save();
  make_real(capture_->path(), root());
  // As every installed system has them.
  fs::create_directories(root() + "/etc");
  fs::create_directories(root() + "/var/lib/dpkg");
  std::ofstream(root() + "/var/lib/dpkg/lock-frontend").flush();
  if (rule_.fix.action == "audit_rules") {
    fs::create_directories(root() + "/etc/audit/rules.d");
    fs::create_directories(root() + "/usr/sbin");
    std::ofstream(root() + "/usr/sbin/auditd").flush();
  }
}

RuleFinding FixedTree::judge() const {
  const auto host = image_of(root());
  RuleTables source(*host);
  Database database(source);
  auto prepared = prepare_rule(rule_, database);
  database.expect(prepared.reads());
  return evaluate_rule(prepared);
}

Plan FixedTree::plan() const {
  Report report;
  report.rules.push_back(judge());
  const auto host = image_of(root());
  const auto tree = writer_of(root());
  const auto kernel = make_absent_kernel();
  std::vector<AcceptedRisk> accepted;
  for (const auto risk : {Risk::kRestart, Risk::kReboot, Risk::kGpuLoss, Risk::kLockout})
    accepted.push_back({risk, "*"});
  return make_plan(report, *host, *tree, *kernel, accepted);
}

ExecuteResult FixedTree::apply(const Plan& plan, const std::string& id) const {
  const auto tree = writer_of(root());
  const auto kernel = make_absent_kernel();
  const auto journal = Journal::open(*tree);
  if (!journal) return {ExecuteOutcome::kRefused, journal.error().message, {}};
  TransactionHeader header;
  header.id = id;
  return Executor(*tree, *kernel, **journal).apply(header, plan.steps);
}

std::vector<std::string> FixedTree::roll_back() const {
  const auto tree = writer_of(root());
  const auto kernel = make_absent_kernel();
  const auto journal = Journal::open(*tree);
  if (!journal) return {journal.error().message};
  auto transactions = read_journals(tree->files());
  if (!transactions) return {transactions.error().message};
  std::reverse(transactions->begin(), transactions->end());
  std::vector<std::string> complaints;
  for (const auto& transaction : *transactions) {
    const auto result = Executor(*tree, *kernel, **journal).revert(transaction, "asked for", OnConflict::kRefuse);
    complaints.insert(complaints.end(), result.conflicts.begin(), result.conflicts.end());
    complaints.insert(complaints.end(), result.failures.begin(), result.failures.end());
  }
  return complaints;
}

}  // namespace gpuharden::test
