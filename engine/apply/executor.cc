// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/executor.h"

#include <algorithm>
#include <set>

#include "engine/base/digest.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Kept free beyond what is written, so that taking back finds room as well.
constexpr std::uint64_t kSpareBytes = std::uint64_t{4} << 20U;

bool is_of_service(const Step& step) { return std::holds_alternative<UnitStep>(step.body); }

bool starts_unit(const Step& step) {
  const auto* unit = std::get_if<UnitStep>(&step.body);
  return unit != nullptr && unit->verb == UnitStep::Verb::kStart;
}

bool changes_audit_rules(const Transaction& transaction) {
  return std::any_of(transaction.steps.begin(), transaction.steps.end(), [](const Step& step) {
    const auto* file = std::get_if<FileStep>(&step.body);
    return file != nullptr && is_within(file->path, "/etc/audit/rules.d");
  });
}

bool has_locked_audit_rules(KernelControl& kernel) {
  constexpr std::uint32_t kLocked = 2;
  if (!kernel.is_held()) return false;
  const auto status = kernel.audit_status();
  return status && status->enabled == kLocked;
}

// Locks that the owners of these files honour, held while one of them is changed.
std::string lock_for(const std::string& path) {
  for (const auto* account : {"/etc/group", "/etc/gshadow", "/etc/passwd", "/etc/shadow"}) {
    if (path == account) return "/etc/.pwd.lock";
  }
  return is_within(path, "/etc/apt") ? "/var/lib/dpkg/lock-frontend" : "";
}

std::set<std::string> locks_for(const std::vector<Step>& steps) {
  std::set<std::string> locks;
  for (const auto& step : steps) {
    if (const auto* file = std::get_if<FileStep>(&step.body)) locks.insert(lock_for(file->path));
    if (const auto* group = std::get_if<GroupStep>(&step.body)) {
      for (const auto& place : group->places) locks.insert(lock_for(place.file));
    }
  }
  locks.erase("");
  return locks;
}

Result<std::vector<UniqueFd>> take_locks(TreeWriter& tree, bool is_running, const std::vector<Step>& steps) {
  std::vector<UniqueFd> held;
  for (const auto& path : locks_for(steps)) {
    // Nobody works in a tree that is not running; a machine without dpkg has no lock of dpkg's.
    auto lock = tree.lock(path, is_running ? TreeWriter::IfMissing::kMake : TreeWriter::IfMissing::kFail);
    if (!lock && lock.error().code == ErrorCode::kNotFound) continue;
    if (!lock) return lock.error();
    held.push_back(std::move(lock).value());
  }
  return held;
}

ExecuteResult refused(const Error& error) { return {ExecuteOutcome::kRefused, error.message, {}}; }

}  // namespace

Status Executor::check(const std::vector<Step>& steps, Workbench& bench) {
  for (const auto& step : steps) {
    GH_RETURN_IF_ERROR(may_do(step.body, bench));
    GH_ASSIGN_OR_RETURN(const Progress progress, progress_of(step.body, bench));
    if (progress == Progress::kBefore) continue;
    return Error{ErrorCode::kStale, concat({describe(step.body), ": changed since it was planned"})};
  }
  return {};
}

Status Executor::check_space(const std::vector<Step>& steps) {
  std::uint64_t needed = kSpareBytes;
  for (const auto& step : steps) {
    if (const auto* file = std::get_if<FileStep>(&step.body))
      needed += 3 * file->before.bytes.size() + 2 * file->after.bytes.size();
  }
  for (const auto& step : steps) {
    const auto* file = std::get_if<FileStep>(&step.body);
    if (file == nullptr) continue;
    const auto free = tree_.free_bytes(file->path);
    if (free && *free < needed)
      return Error{ErrorCode::kIo, concat({file->path, ": too little room on its file system, nothing is begun"})};
  }
  return {};
}

Status Executor::run(const std::vector<Step>& steps, Workbench& bench) {
  for (const auto& step : steps) GH_RETURN_IF_ERROR(do_step(step.body, bench));
  const bool has_kernel = kernel_.is_held().has_value();
  for (const auto& step : steps) {
    if (is_of_service(step) || (phase_of(step.body) > 0 && !has_kernel)) continue;
    GH_ASSIGN_OR_RETURN(const Progress progress, progress_of(step.body, bench));
    if (progress != Progress::kAfter) return Error{ErrorCode::kStale, concat({describe(step.body), ": did not last"})};
  }
  return {};
}

ExecuteResult Executor::apply(const TransactionHeader& header, const std::vector<Step>& steps) {
  Workbench bench{tree_, kernel_, header.id};
  const auto locks = take_locks(tree_, kernel_.is_held().has_value(), steps);
  if (!locks) return refused(locks.error());
  if (const auto checked = check(steps, bench); !checked) return refused(checked.error());
  if (const auto space = check_space(steps); !space) return refused(space.error());
  Transaction transaction;
  transaction.header = header;
  transaction.steps = steps;
  if (const auto begun = journal_.begin(transaction); !begun) return refused(begun.error());

  auto failed = run(steps, bench);
  if (failed) failed = journal_.note(header.id, TransactionState::kApplied, {}, {});
  if (failed) return {};
  const auto reverted = revert(transaction, failed.error().message, OnConflict::kSkip);
  ExecuteResult result{ExecuteOutcome::kTakenBack, failed.error().message, reverted.conflicts};
  result.left.insert(result.left.end(), reverted.failures.begin(), reverted.failures.end());
  if (!result.left.empty() || !reverted.is_done) result.outcome = ExecuteOutcome::kLeftBehind;
  return result;
}

std::vector<std::string> Executor::conflicts_of(const Transaction& transaction, Workbench& bench) {
  std::vector<std::string> conflicts;
  for (const auto& step : transaction.steps) {
    const auto undoable = may_undo(step.body, bench);
    if (!undoable) conflicts.push_back(undoable.error().message);
  }
  return conflicts;
}

Status Executor::keep_other_version(const Transaction& transaction, const FileStep& step, const FileState& found) {
  const std::string folder = concat({Journal::kFolder, "/kept"});
  GH_RETURN_IF_ERROR(tree_.change(folder, no_file(), new_folder(0700), "new"));
  const std::string name = concat({folder, "/", transaction.header.id, "-", digest_of({step.path}).substr(0, 8)});
  return tree_.change(name, no_file(), new_file(found.bytes, 0600), "new");
}

Status Executor::undo(const Transaction& transaction, const Step& step, OnConflict on_conflict, Workbench& bench) {
  auto undone = undo_step(step.body, bench);
  const bool is_conflict = !undone && undone.error().code == ErrorCode::kStale;
  const auto* file = std::get_if<FileStep>(&step.body);
  if (!is_conflict || on_conflict != OnConflict::kForce || file == nullptr) return undone;
  GH_ASSIGN_OR_RETURN(const FileState found, tree_.capture(file->path));
  if (found.exists && found.type == FileType::kRegular)
    GH_RETURN_IF_ERROR(keep_other_version(transaction, *file, found));
  return tree_.change(file->path, found, file->before, bench.tag);
}

RevertResult Executor::revert(const Transaction& transaction, const std::string& reason, OnConflict on_conflict) {
  RevertResult result;
  Workbench bench{tree_, kernel_, transaction.header.id, transaction.header.boot_id == kernel_.boot_id()};
  // apply() may hold them already: a second lock of one process is the same lock.
  const auto locks = take_locks(tree_, kernel_.is_held().has_value(), transaction.steps);
  if (!locks) {
    result.failures.push_back(locks.error().message);
    return result;
  }
  if (on_conflict == OnConflict::kRefuse) {
    result.conflicts = conflicts_of(transaction, bench);
    if (!result.conflicts.empty()) return result;
  }
  const auto& id = transaction.header.id;
  if (const auto noted = journal_.note(id, TransactionState::kReverting, reason, {}); !noted)
    result.failures.push_back(noted.error().message);
  const auto undo_one = [&](const Step& step) {
    const auto undone = undo(transaction, step, on_conflict, bench);
    if (undone) return;
    const bool is_stale = undone.error().code == ErrorCode::kStale;
    // A service is nobody's file: what is not done to it is left to people.
    auto& list = !is_stale ? result.failures : is_of_service(step) ? result.pending : result.conflicts;
    list.push_back(undone.error().message);
  };
  // While its file is there: at boot it may be about to be started, and is forgotten only by its name.
  for (const auto& step : transaction.steps) {
    if (starts_unit(step)) undo_one(step);
  }
  for (auto step = transaction.steps.rbegin(); step != transaction.steps.rend(); ++step) {
    if (!is_of_service(*step)) undo_one(*step);
  }
  for (const auto& step : transaction.steps) {
    if (is_of_service(step) && !starts_unit(step)) undo_one(step);
  }
  if (changes_audit_rules(transaction) && has_locked_audit_rules(kernel_))
    result.pending.emplace_back("the kernel keeps its audit rules until the next boot: they are locked (enabled 2)");
  if (!result.failures.empty()) return result;
  auto kept = result.conflicts;
  kept.insert(kept.end(), result.pending.begin(), result.pending.end());
  if (const auto noted = journal_.note(id, TransactionState::kReverted, reason, kept); !noted) {
    result.failures.push_back(noted.error().message);
    return result;
  }
  result.is_done = true;
  return result;
}

Result<std::vector<std::string>> Executor::recover(const Clocks& clocks) {
  GH_ASSIGN_OR_RETURN(auto transactions, read_journals(tree_.files()));
  std::vector<std::string> told;
  for (auto it = transactions.rbegin(); it != transactions.rend(); ++it) {
    if (!is_to_be_reverted(*it, clocks)) continue;
    const bool was_unconfirmed = is_unconfirmed(*it);
    const std::string reason = was_unconfirmed ? "not confirmed in time" : "interrupted";
    const auto reverted = revert(*it, reason, OnConflict::kSkip);
    told.push_back(concat({it->header.id, ": ", reason, reverted.is_done ? ", taken back" : ", not taken back yet"}));
    for (const auto* list : {&reverted.conflicts, &reverted.failures, &reverted.pending}) {
      for (const auto& sentence : *list) told.push_back(concat({it->header.id, ": ", sentence}));
    }
  }
  return told;
}

}  // namespace gpuharden
