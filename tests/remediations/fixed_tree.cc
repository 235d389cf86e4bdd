// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/remediations/fixed_tree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "engine/host/capture_yaml.h"
#include "engine/scan/evaluate.h"
#include "tests/support/rule_tables.h"

namespace gpuharden::test {
namespace fs = std::filesystem;
namespace {

void make_missing(const std::string& path, const CapturedPath& laid) {
  if (!laid.type || fs::exists(fs::symlink_status(path))) return;
  fs::create_directories(fs::path(path).parent_path());
  switch (*laid.type) {
    case FileType::kDirectory: fs::create_directory(path); break;
    case FileType::kSymlink: fs::create_symlink(laid.link, path); break;
    case FileType::kCharacterDevice:
    case FileType::kBlockDevice: {
      const mode_t kind = *laid.type == FileType::kBlockDevice ? S_IFBLK : S_IFCHR;
      if (::mknod(path.c_str(), kind | 0600, makedev(laid.device_major, laid.device_minor)) != 0)
        throw std::runtime_error("mknod " + path);
      break;
    }
    default: std::ofstream(path).flush();
  }
}

void lay_over(const std::string& path, const CapturedPath& laid) {
  make_missing(path, laid);
  struct stat now {};
  if (::lstat(path.c_str(), &now) != 0) return;
  if (::lchown(path.c_str(), laid.uid.value_or(now.st_uid), laid.gid.value_or(now.st_gid)) != 0)
    throw std::runtime_error("chown " + path);
  if (!S_ISLNK(now.st_mode)) ::chmod(path.c_str(), laid.mode.value_or(now.st_mode & 07777U));
  for (const auto& [name, value] : laid.xattrs) ::setxattr(path.c_str(), name.c_str(), value.data(), value.size(), 0);
  if (!laid.mtime) return;
  const timespec times[2] = {{0, UTIME_OMIT}, {*laid.mtime, 0}};
  ::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

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
  const auto captured = read_captured_host(capture_->path());
  if (!captured) throw std::runtime_error(captured.error().message);
  for (const auto& [path, laid] : (*captured)->paths) lay_over(root() + path, laid);
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
