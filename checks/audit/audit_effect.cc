// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/audit/audit_effect.h"

#include <linux/audit.h>

#include <algorithm>

#include "engine/base/text.h"
#include "engine/native/audit_names.h"

namespace gpuharden {
namespace {

constexpr std::uint32_t kSyscallRecord = 1300;
// Rules without a path that say never are compared with each later rule.
constexpr std::size_t kMaxNevers = 256;

bool is_wide(const AuditField& arch) { return arch.op == AUDIT_EQUAL && (arch.value & __AUDIT_ARCH_64BIT) != 0; }

bool is_path_field(std::uint32_t field) { return field == AUDIT_WATCH || field == AUDIT_DIR || field == AUDIT_EXE; }

std::string without_slash(std::string_view path) {
  if (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return std::string(path);
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

bool is_subset(const SyscallMask& part, const SyscallMask& whole) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    if ((part[i] & ~whole[i]) != 0) return false;
  }
  return true;
}

bool has_common_call(const SyscallMask& a, const SyscallMask& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] & b[i]) != 0) return true;
  }
  return false;
}

bool names_path(const AuditRule& rule) {
  return find_audit_field(rule, AUDIT_WATCH) != nullptr || find_audit_field(rule, AUDIT_DIR) != nullptr;
}

// Whether a rule that says never takes what `other` is there for; paths are compared by the caller. One for a
// path is taken to be meant for it: a part of the calls or of the permissions is enough.
bool covers(const AuditRule& never, const AuditRule& other) {
  const bool has_calls =
      names_path(never) ? has_common_call(other.mask, never.mask) : is_subset(other.mask, never.mask);
  if (!has_calls) return false;
  return std::all_of(never.fields.begin(), never.fields.end(), [&](const AuditField& field) {
    if (field.field == AUDIT_FILTERKEY || field.field == AUDIT_WATCH || field.field == AUDIT_DIR) return true;
    if (field.field == AUDIT_PERM) {
      const auto* perm = find_audit_field(other, AUDIT_PERM);
      return perm == nullptr || (perm->value & field.value) != 0;
    }
    // Of a rule for all programs it takes the half that matters.
    if (field.field == AUDIT_ARCH && is_wide(field) && find_audit_field(other, AUDIT_ARCH) == nullptr) return true;
    return std::find(other.fields.begin(), other.fields.end(), field) != other.fields.end();
  });
}

// Holds for root, for all that nobody logged in for, or for all but a few: no suppression of one account.
bool is_of_many(const AuditField& field) {
  if (!is_audit_user_field(field.field)) return false;
  return field.op != AUDIT_EQUAL || field.value == 0 || field.value == ~std::uint32_t{0};
}

enum class Takes { kNothing, kPart, kAll };

// What a rule that says never takes of the calls that it names, whatever path they are made on.
Takes takes_calls(const AuditRule& rule) {
  Takes takes = Takes::kAll;
  for (const auto& field : rule.fields) {
    if (field.field == AUDIT_FILTERKEY || (field.field == AUDIT_ARCH && field.op == AUDIT_EQUAL)) continue;
    if (!is_of_many(field)) return Takes::kNothing;
    takes = Takes::kPart;
  }
  return takes;
}

void add_calls(SyscallMask& mask, const SyscallMask& more) {
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] |= more[i];
}

bool holds_for_record(const AuditField& field, std::uint32_t type) {
  if (field.field != AUDIT_MSGTYPE) return false;
  switch (field.op) {
    case AUDIT_EQUAL: return type == field.value;
    case AUDIT_NOT_EQUAL: return type != field.value;
    case AUDIT_GREATER_THAN: return type > field.value;
    case AUDIT_GREATER_THAN_OR_EQUAL: return type >= field.value;
    case AUDIT_LESS_THAN: return type < field.value;
    case AUDIT_LESS_THAN_OR_EQUAL: return type <= field.value;
    default: return false;
  }
}

std::string place_of(const AuditRuleEntry& entry) {
  return entry.file.empty() ? concat({"\"", entry.text, "\""})
                            : concat({"\"", entry.text, "\" (", entry.file, ":", std::to_string(entry.line), ")"});
}

// The rules of the exit list that say never, as far as they have been gone through.
class Nevers {
 public:
  explicit Nevers(std::vector<Error>& errors) : errors_(errors) {}

  std::shared_ptr<const TakenCalls> taken() const { return taken_; }

  void add(const AuditRuleEntry& entry) {
    const Takes takes = takes_calls(entry.rule);
    if (takes != Takes::kNothing) take_calls(entry.rule, takes);
    auto& place = names_path(entry.rule) ? by_path_[without_slash(entry.real_path)] : everywhere_;
    if (place.size() == kMaxNevers)
      errors_.push_back({ErrorCode::kTooLarge, "more rules that say never than are compared"});
    if (place.size() < kMaxNevers) place.push_back(&entry);
  }

  const AuditRuleEntry* covering(const AuditRuleEntry& entry) const {
    if (const auto* found = first_of(everywhere_, entry, true)) return found;
    if (by_path_.empty() || entry.real_path.empty()) return nullptr;
    for (std::string path = without_slash(entry.real_path); !path.empty(); path = folder_of(path)) {
      const auto at = by_path_.find(path);
      const bool is_itself = path == without_slash(entry.real_path);
      const auto* found = at == by_path_.end() ? nullptr : first_of(at->second, entry, is_itself);
      if (found != nullptr || path == "/") return found;
    }
    return nullptr;
  }

 private:
  void take_calls(const AuditRule& rule, Takes takes) {
    auto more = taken_ ? std::make_shared<TakenCalls>(*taken_) : std::make_shared<TakenCalls>();
    const auto* arch = find_audit_field(rule, AUDIT_ARCH);
    const bool is_all = takes == Takes::kAll;
    if (arch == nullptr || is_wide(*arch)) add_calls(is_all ? more->wide : more->wide_part, rule.mask);
    if (arch == nullptr || !is_wide(*arch)) add_calls(is_all ? more->narrow : more->narrow_part, rule.mask);
    taken_ = std::move(more);
  }

  static const AuditRuleEntry* first_of(const std::vector<const AuditRuleEntry*>& nevers, const AuditRuleEntry& entry,
                                        bool is_itself) {
    for (const auto* never : nevers) {
      const bool reaches = never->is_folder_rule || (is_itself && !entry.is_folder_rule) || never->path.empty();
      if ((reaches || never->real_path.empty()) && covers(never->rule, entry.rule)) return never;
    }
    return nullptr;
  }

  std::vector<Error>& errors_;
  std::shared_ptr<const TakenCalls> taken_;
  std::vector<const AuditRuleEntry*> everywhere_;
  std::unordered_map<std::string, std::vector<const AuditRuleEntry*>> by_path_;
};

bool is_in_force(const AuditRuleEntry& entry) {
  return entry.is_rule && entry.problem == AuditProblem::kNone && !entry.doubt;
}

void refuse_all(AuditRuleSet& set, AuditProblem problem, const std::string& reason) {
  for (auto& entry : set.rules) {
    if (!entry.is_rule || entry.problem != AuditProblem::kNone || entry.rule.list != AUDIT_FILTER_EXIT) continue;
    if (entry.rule.action == AUDIT_NEVER) continue;
    entry.problem = problem;
    entry.reason = reason;
  }
}

// Nothing but the key: it holds for every process, or for every record of a system call.
bool takes_all(const AuditRule& rule) {
  return std::all_of(rule.fields.begin(), rule.fields.end(), [&](const AuditField& field) {
    if (field.field == AUDIT_FILTERKEY) return true;
    return rule.list == AUDIT_FILTER_EXCLUDE && holds_for_record(field, kSyscallRecord);
  });
}

}  // namespace

bool is_audit_filter(const AuditField& field) {
  if (field.field == AUDIT_SUCCESS && field.op == AUDIT_EQUAL && field.value == 1) return false;
  const bool is_plain = field.field == AUDIT_WATCH || field.field == AUDIT_DIR || field.field == AUDIT_PERM ||
                        field.field == AUDIT_ARCH || field.field == AUDIT_FILTERKEY;
  return !is_plain || field.op != AUDIT_EQUAL;
}

Result<std::string> AuditPaths::resolve(const std::string& path) {
  const std::string folder = folder_of(path);
  auto found = folders_.find(folder);
  if (found == folders_.end()) found = folders_.emplace(folder, files_.real_path(folder)).first;
  if (!found->second) return found->second.error();
  const auto& real = *found->second;
  return real == "/" ? "/" + path.substr(path.rfind('/') + 1) : concat({real, path.substr(path.rfind('/'))});
}

void AuditPaths::settle(AuditRuleEntry& entry, bool is_watch) {
  for (auto& field : entry.rule.fields) {
    if (!is_path_field(field.field) || (field.field == AUDIT_EXE && field.op != AUDIT_EQUAL)) continue;
    if (!entry.path.empty() && field.field == AUDIT_EXE) continue;
    entry.path = without_slash(field.text);
    if (is_watch) {
      const auto stat = files_.stat(entry.path);
      if (stat && stat->type == FileType::kDirectory) field.field = AUDIT_DIR;
    }
    entry.is_folder_rule = field.field == AUDIT_DIR;
  }
  if (!entry.path.empty()) look(entry);
}

void AuditPaths::look(AuditRuleEntry& entry) {
  const auto real = resolve(entry.path);
  if (real) entry.real_path = *real;
  const auto stat = real ? files_.lstat(*real) : Result<FileStat>(real.error());
  entry.exists = stat.has_value();
  if (stat) {
    if (stat->type != FileType::kSymlink) return;
    const auto target = files_.real_path(entry.path);
    entry.problem = AuditProblem::kLink;
    entry.reason =
        concat({entry.path, " is a link: what it leads to (", target ? *target : "nothing", ") is not watched"});
    return;
  }
  if (stat.error().code != ErrorCode::kNotFound) {
    entry.doubt = stat.error();
  } else if (!real || entry.is_folder_rule) {
    entry.problem = AuditProblem::kNoFolder;
    entry.reason = concat({entry.is_folder_rule ? entry.path : folder_of(entry.path), " does not exist"});
  }
}

void find_audit_effects(AuditRuleSet& set) {
  for (const auto& entry : set.rules) {
    if (!is_in_force(entry) || !takes_all(entry.rule)) continue;
    if (entry.rule.list == AUDIT_FILTER_TASK && entry.rule.action == AUDIT_NEVER)
      return refuse_all(set, AuditProblem::kNoTask,
                        concat({place_of(entry), " keeps every process from being audited"}));
    if (entry.rule.list == AUDIT_FILTER_EXCLUDE)
      return refuse_all(set, AuditProblem::kExcluded, concat({place_of(entry), " drops the records of system calls"}));
  }
  Nevers nevers(set.errors);
  for (auto& entry : set.rules) {
    if (!entry.is_rule || entry.rule.list != AUDIT_FILTER_EXIT || entry.problem != AuditProblem::kNone) continue;
    if (entry.rule.action == AUDIT_NEVER) {
      if (!entry.doubt) nevers.add(entry);
      continue;
    }
    entry.taken = nevers.taken();
    const auto* never = nevers.covering(entry);
    if (never == nullptr) continue;
    entry.problem = AuditProblem::kShadowed;
    entry.reason = concat({place_of(*never), " stands before and takes its events"});
  }
}

}  // namespace gpuharden
