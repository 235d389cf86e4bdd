// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/plan_draft.h"

#include <algorithm>

#include "engine/apply/group_line.h"
#include "engine/base/digest.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Where the user stands in the group's list of members; nothing where it does not.
std::optional<std::size_t> index_of_member(std::string_view text, const std::string& group, const std::string& user) {
  const auto line = find_group(text, group);
  if (!line) return std::nullopt;
  const auto found = std::find(line->members.begin(), line->members.end(), user);
  if (found == line->members.end()) return std::nullopt;
  return static_cast<std::size_t>(found - line->members.begin());
}

}  // namespace

void PlanDraft::begin(const std::string& rule) {
  rule_ = rule;
  before_request_ = planned_;
  risks_.clear();
  reasons_.clear();
  waits_.clear();
}

void PlanDraft::end(bool keep) {
  if (!keep) planned_ = before_request_;
  before_request_ = {};
}

Result<FileState> PlanDraft::state(std::string_view path) {
  GH_ASSIGN_OR_RETURN(const std::string target, tree_.target_of(path));
  const auto planned = planned_.files.find(target);
  if (planned != planned_.files.end()) return planned->second.after;
  return tree_.capture(target);
}

Status PlanDraft::put(std::string_view path, FileState wanted, bool is_shared) {
  GH_ASSIGN_OR_RETURN(const std::string target, tree_.target_of(path));
  GH_RETURN_IF_ERROR(make_folders(std::string(folder_of(target))));
  return put_at(target, std::move(wanted), is_shared);
}

Status PlanDraft::make_folders(const std::string& path) {
  if (path == "/" || planned_.files.contains(path)) return {};
  GH_ASSIGN_OR_RETURN(const FileState found, tree_.capture(path));
  if (found.exists) return {};
  GH_RETURN_IF_ERROR(make_folders(std::string(folder_of(path))));
  return put_at(path, new_folder(), false);
}

Status PlanDraft::put_at(const std::string& path, FileState wanted, bool is_shared) {
  GH_RETURN_IF_ERROR(tree_.may_change(path));
  auto planned = planned_.files.find(path);
  if (planned == planned_.files.end()) {
    GH_ASSIGN_OR_RETURN(const FileState found, tree_.capture(path));
    planned = planned_.files.emplace(path, PlannedFile{found, found, false, {}}).first;
  }
  planned->second.after = std::move(wanted);
  planned->second.is_shared = planned->second.is_shared || is_shared;
  planned->second.rules.insert(rule_);
  return {};
}

void PlanDraft::add(const std::string& about, StepBody body) {
  auto& step = planned_.others[about];
  step.body = std::move(body);
  add_once(step.rules, rule_);
}

std::vector<std::string> PlanDraft::gather(const std::string& list, const std::string& item) {
  auto& items = planned_.lists[list];
  add_once(items, item);
  return items;
}

Status PlanDraft::remove_member(const std::string& group, const std::string& user) {
  GroupStep step{group, user, {}};
  for (const auto* path : {"/etc/group", "/etc/gshadow"}) {
    GH_RETURN_IF_ERROR(tree_.may_change(path));
    GH_ASSIGN_OR_RETURN(const FileState file, tree_.capture(path));
    const auto index = index_of_member(file.bytes, group, user);
    if (index) step.places.push_back({path, *index, digest_of({file.bytes}), file.modified});
  }
  if (step.places.empty())
    return Error{ErrorCode::kNotFound, concat({user, " is no listed member of ", group,
                                               " here: by primary group, or by a directory service"})};
  add(concat({"group ", group, " ", user}), std::move(step));
  return {};
}

// A tree has no kernel: what its files say is in force when it is booted.
bool PlanDraft::waits_for_boot() {
  if (kernel_.is_held()) return false;
  pending("the next boot of this tree");
  return true;
}

Status PlanDraft::set_sysctl(const std::string& name, const std::string& value) {
  if (waits_for_boot()) return {};
  GH_ASSIGN_OR_RETURN(const std::string now, kernel_.sysctl(name));
  if (now != value) add("sysctl " + name, SysctlStep{name, now, value});
  return {};
}

Status PlanDraft::load_audit_rules(const std::vector<std::string>& rules) {
  if (waits_for_boot()) return {};
  GH_ASSIGN_OR_RETURN(const AuditStatus status, kernel_.audit_status());
  constexpr std::uint32_t kLocked = 2;
  if (status.enabled == kLocked) {
    pending("the next boot: the kernel's audit rules are locked (enabled 2)");
    return {};
  }
  GH_ASSIGN_OR_RETURN(const auto loaded, kernel_.audit_rules());
  AuditStep step;
  for (const auto& rule : rules) step.rules = gather("audit rules", rule);
  for (const auto& rule : step.rules) {
    if (std::find(loaded.begin(), loaded.end(), rule) == loaded.end()) step.missing.push_back(rule);
  }
  if (!step.missing.empty()) add("audit", std::move(step));
  return {};
}

Status PlanDraft::load_table(const std::string& text) {
  if (waits_for_boot()) return {};
  GH_ASSIGN_OR_RETURN(const std::string canonical, kernel_.prove_table(text));
  GH_ASSIGN_OR_RETURN(const std::string now, kernel_.own_table());
  if (now != canonical) add("table", TableStep{now, canonical});
  return {};
}

void PlanDraft::reload_units() {
  add("reload", UnitStep{UnitStep::Verb::kReload, {}});
  if (!kernel_.is_held()) return;
  if (!reload_victims_) reload_victims_ = kernel_.reload_victims();
  if (!*reload_victims_) {
    risk(Risk::kGpuLoss, concat({"whether a reload of systemd takes GPUs from containers is not known: ",
                                 reload_victims_->error().message}));
  } else if (!(*reload_victims_)->empty()) {
    risk(Risk::kGpuLoss, concat({"the reload of systemd takes the GPUs from ", join(**reload_victims_, ", "),
                                 " (first: nvidia-ctk system create-dev-char-symlinks --create-all, then start the "
                                 "containers again)"}));
  }
}

void PlanDraft::start_unit(const std::string& unit) {
  reload_units();
  add("start " + unit, UnitStep{UnitStep::Verb::kStart, unit});
}

Status PlanDraft::restart_unit(const std::string& unit) {
  reload_units();
  if (!kernel_.is_held()) return {};
  GH_ASSIGN_OR_RETURN(const UnitState state, kernel_.unit(unit));
  if (!state.is_active) return {};
  add("restart " + unit, UnitStep{UnitStep::Verb::kRestart, unit});
  risk(Risk::kRestart, concat({unit, " is restarted"}));
  return {};
}

void PlanDraft::risk(Risk risk, const std::string& why) {
  if (risk != Risk::kNone) risks_.insert(risk);
  if (!why.empty()) add_once(reasons_, why);
}

void PlanDraft::pending(const std::string& what) { add_once(waits_, what); }

std::vector<Step> PlanDraft::steps() const {
  std::vector<Step> steps;
  for (const auto& [path, file] : planned_.files) {
    if (is_same(file.before, file.after)) continue;
    steps.push_back({{file.rules.begin(), file.rules.end()}, FileStep{path, file.before, file.after, file.is_shared}});
  }
  for (const auto& [about, step] : planned_.others) steps.push_back(step);
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return phase_of(a.body) < phase_of(b.body); });
  return steps;
}

}  // namespace gpuharden
