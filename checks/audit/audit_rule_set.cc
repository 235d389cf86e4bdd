// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/audit/audit_rule_set.h"

#include <linux/audit.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "checks/audit/audit_effect.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

void refuse(AuditRuleEntry& entry, AuditProblem problem, std::string reason) {
  entry.problem = problem;
  entry.reason = std::move(reason);
}

// Goes through the script as auditctl -R does.
class ScriptLoader {
 public:
  ScriptLoader(const Files& files, const AuditWords& words, AuditBootSettings& settings)
      : paths_(files), words_(words), settings_(settings) {}

  AuditRuleSet load(const AuditScript& script) {
    set_.errors = script.errors;
    for (const auto& line : script.lines) take(line);
    move_prepended();
    find_audit_effects(set_);
    return std::move(set_);
  }

 private:
  void take(const AuditScriptLine& line) {
    auto parsed = parse_audit_line(line.text, words_);
    if (parsed.kind == AuditLine::Kind::kNothing) return;
    AuditRuleEntry entry;
    entry.file = line.file;
    entry.line = line.line;
    entry.text = line.text;
    if (!settings_.stop_file.empty()) {
      if (parsed.kind != AuditLine::Kind::kRule) return;
      take_rule(std::move(entry), parsed);
      return;
    }
    switch (parsed.kind) {
      case AuditLine::Kind::kRule: return take_rule(std::move(entry), parsed);
      case AuditLine::Kind::kRemoval: return remove(entry, parsed);
      case AuditLine::Kind::kControl: return control(entry, parsed);
      default:
        entry.is_rule = false;
        refuse(entry, AuditProblem::kSyntax, parsed.error);
        stop_at(entry);
        set_.rules.push_back(std::move(entry));
    }
  }

  void stop_at(const AuditRuleEntry& entry) {
    if (settings_.ignores_errors || !settings_.stop_file.empty()) return;
    settings_.stop_file = entry.file;
    settings_.stop_line = entry.line;
    settings_.stop_reason = entry.reason;
  }

  void control(const AuditRuleEntry& entry, const AuditLine& parsed) {
    if (parsed.ignores_errors || parsed.continues_on_error) settings_.ignores_errors = true;
    const AuditBootSettings::Setting place{0, entry.file, entry.line};
    const auto set = [&](const std::optional<std::uint32_t>& value, auto& slot) {
      if (!value || is_locked_) return;
      slot = place;
      slot->value = *value;
    };
    set(parsed.failure, settings_.failure);
    set(parsed.backlog_limit, settings_.backlog_limit);
    set(parsed.enabled, settings_.enabled);
    if (parsed.deletes_all && !is_locked_) {
      for (auto& rule : set_.rules) {
        if (rule.problem == AuditProblem::kNone)
          refuse(rule, AuditProblem::kDeleted, concat({entry.file, ":", std::to_string(entry.line), " deletes it"}));
      }
      known_.clear();
    }
    if (parsed.enabled == 2U) is_locked_ = true;
  }

  // -d and -W; one that meets no rule is an error to auditctl.
  void remove(AuditRuleEntry& entry, const AuditLine& parsed) {
    entry.rule = parsed.rule;
    paths_.settle(entry, parsed.is_watch);
    const auto found = known_.find(identity_with_calls(entry));
    if (found == known_.end()) {
      entry.is_rule = false;
      refuse(entry, AuditProblem::kSyntax, "there is no such rule to delete");
      stop_at(entry);
      set_.rules.push_back(std::move(entry));
      return;
    }
    refuse(set_.rules[found->second], AuditProblem::kDeleted,
           concat({entry.file, ":", std::to_string(entry.line), " deletes it"}));
    known_.erase(found);
  }

  void take_rule(AuditRuleEntry entry, AuditLine& parsed) {
    entry.rule = std::move(parsed.rule);
    entry.names_syscalls = parsed.names_syscalls;
    if (!parsed.doubt.empty()) entry.doubt = Error{ErrorCode::kUnsupported, concat({entry.text, ": ", parsed.doubt})};
    paths_.settle(entry, parsed.is_watch);
    // Should the line be refused, all that follows is not loaded.
    if (entry.doubt && settings_.stop_file.empty()) set_.errors.push_back(*entry.doubt);
    if (!settings_.stop_file.empty()) {
      refuse(entry, AuditProblem::kUnreached,
             concat({"auditctl stops at ", settings_.stop_file, ":", std::to_string(settings_.stop_line), ": ",
                     settings_.stop_reason}));
    } else if (is_locked_) {
      refuse(entry, AuditProblem::kLocked, "the rules are locked by an earlier -e 2");
      stop_at(entry);
    } else if (entry.problem == AuditProblem::kNoFolder) {
      stop_at(entry);
    } else if (!entry.rule.prepend && !known_.emplace(identity_with_calls(entry), set_.rules.size()).second) {
      refuse(entry, AuditProblem::kDuplicate, "the same rule stands before");
      stop_at(entry);
    }
    set_.rules.push_back(std::move(entry));
  }

  static std::string identity_with_calls(const AuditRuleEntry& entry) {
    std::string identity = audit_identity(entry.rule);
    const auto& mask = entry.rule.mask;
    return identity.append(reinterpret_cast<const char*>(mask.data()), sizeof mask);
  }

  // -A puts a rule before all that are there.
  void move_prepended() {
    std::vector<AuditRuleEntry> sorted;
    for (auto entry = set_.rules.rbegin(); entry != set_.rules.rend(); ++entry) {
      if (entry->rule.prepend) sorted.push_back(std::move(*entry));
    }
    if (sorted.empty()) return;
    for (auto& entry : set_.rules) {
      if (!entry.rule.prepend) sorted.push_back(std::move(entry));
    }
    set_.rules = std::move(sorted);
  }

  AuditPaths paths_;
  const AuditWords& words_;
  AuditBootSettings& settings_;
  AuditRuleSet set_;
  std::unordered_map<std::string, std::size_t> known_;  // rules that are loaded so far
  bool is_locked_ = false;
};

}  // namespace

std::string_view to_string(AuditProblem problem) {
  static constexpr std::array<std::string_view, 11> kWords = {"",          "syntax",  "no-folder", "duplicate",
                                                              "unreached", "locked",  "deleted",   "link",
                                                              "shadowed",  "no-task", "excluded"};
  return kWords.at(static_cast<std::size_t>(problem));
}

const AuditField* find_audit_field(const AuditRule& rule, std::uint32_t field) {
  const auto found =
      std::find_if(rule.fields.begin(), rule.fields.end(), [&](const AuditField& one) { return one.field == field; });
  return found == rule.fields.end() ? nullptr : &*found;
}

std::string audit_identity(const AuditRule& rule) {
  std::vector<std::string> parts;
  for (const auto& field : rule.fields) {
    std::string_view text = field.text;
    if (field.field == AUDIT_DIR && text.size() > 1 && text.ends_with('/')) text.remove_suffix(1);
    parts.push_back(concat(
        {std::to_string(field.field), " ", std::to_string(field.op), " ", std::to_string(field.value), " ", text}));
  }
  std::sort(parts.begin(), parts.end());
  // The action of an exclude rule does not matter, and older libraries send another one.
  const std::uint32_t action = rule.list == AUDIT_FILTER_EXCLUDE ? 0 : rule.action;
  return concat({std::to_string(rule.list), " ", std::to_string(action), "\n", join(parts, "\n")});
}

AuditRuleSet kernel_rule_set(std::vector<AuditRule> rules, const Files& files, std::uint32_t machine) {
  AuditRuleSet set;
  AuditPaths paths(files);
  for (auto& rule : rules) {
    AuditRuleEntry entry;
    entry.line = static_cast<std::uint32_t>(set.rules.size()) + 1;
    entry.text = audit_rule_text(rule, machine);
    entry.rule = std::move(rule);
    paths.settle(entry, false);
    // The kernel has accepted it.
    if (entry.problem == AuditProblem::kNoFolder) entry.problem = AuditProblem::kNone;
    set.rules.push_back(std::move(entry));
  }
  find_audit_effects(set);
  return set;
}

AuditRuleSet boot_rule_set(const AuditScript& script, const Files& files, const AuditWords& words,
                           AuditBootSettings& settings) {
  return ScriptLoader(files, words, settings).load(script);
}

}  // namespace gpuharden
