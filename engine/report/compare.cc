// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/report/compare.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/text.h"
#include "engine/report/words.h"
#include "engine/report/writer.h"

namespace gpuharden {
namespace {

constexpr std::array<std::string_view, 6> kChangeKinds = {"new", "worse", "changed", "same", "fixed", "unseen"};

bool is_finding(Outcome outcome) { return outcome >= Outcome::kWaived; }

struct Entry {
  ReportItem item;
  std::string key;  // identity, and which of several that have it
};

// Findings of a report in its order; several of one identity are told apart by their order.
std::vector<Entry> entries_of(const Report& report) {
  std::vector<Entry> entries;
  std::map<std::string, int> seen;
  for (const auto& finding : report.rules) {
    for (auto& item : items_of(finding)) {
      if (!is_finding(item.outcome)) continue;
      const std::string key = concat({item.identity, ":", std::to_string(++seen[item.identity])});
      entries.push_back({std::move(item), key});
    }
  }
  return entries;
}

std::map<std::string, const ReportItem*> by_key(const std::vector<Entry>& entries) {
  std::map<std::string, const ReportItem*> out;
  for (const auto& entry : entries) out[entry.key] = &entry.item;
  return out;
}

Change change_of(const ReportItem& item, ChangeKind kind) {
  Change change;
  change.kind = kind;
  change.rule = item.rule->rule.id;
  change.horizon = item.horizon->name;
  change.message = item.message;
  change.severity = item.rule->rule.severity;
  change.identity = item.identity;
  if (item.row != nullptr) {
    change.subject = item.row->subject;
    change.file = item.row->file;
    change.line = item.row->line;
  }
  return change;
}

ChangeKind kind_of(const ReportItem& before, const ReportItem& after) {
  if (after.outcome > before.outcome || after.rule->rule.severity > before.rule->rule.severity ||
      (after.row == nullptr && after.count > before.count))
    return ChangeKind::kWorse;
  const bool is_same = after.outcome == before.outcome && after.rule->rule.severity == before.rule->rule.severity &&
                       after.message == before.message && after.count == before.count;
  return is_same ? ChangeKind::kSame : ChangeKind::kChanged;
}

// Whether a report in which a finding is missing could have had it.
class Sight {
 public:
  explicit Sight(const Report& report) {
    for (const auto& finding : report.rules) {
      for (const auto& horizon : finding.horizons) horizons_[{finding.rule.id, horizon.name}] = &horizon;
    }
  }
  bool sees(const ReportItem& item) const {
    const auto found = horizons_.find({item.rule->rule.id, item.horizon->name});
    if (found == horizons_.end()) return false;
    const HorizonFinding& horizon = *found->second;
    const bool is_decided = horizon.outcome == Outcome::kPass || horizon.outcome == Outcome::kNotApplicable ||
                            horizon.outcome == Outcome::kFail || horizon.outcome == Outcome::kWaived;
    // With rows that are not stored, or not seen at all, it may be among these.
    return is_decided && !horizon.cut_off && horizon.gaps.empty() && horizon.rows.size() < Report::kMaxRows;
  }

 private:
  std::map<std::pair<std::string, std::string>, const HorizonFinding*> horizons_;
};

void warn(const Report& before, const Report& after, Comparison& out) {
  const auto differ = [&](std::string_view what, std::string_view a, std::string_view b) {
    if (a != b) out.warnings.push_back(concat({what, " differs: ", a, " and ", b}));
  };
  differ("the host", before.host.name, after.host.name);
  differ("the profile", before.profile, after.profile);
  differ("the program's version", before.tool_version, after.tool_version);
  if (before.rules_digest != after.rules_digest) out.warnings.emplace_back("the rules differ");
  if (before.started > after.started) out.warnings.emplace_back("the first report is the later one");
}

bool is_at_fault(const ReportItem& item) {
  return item.outcome == Outcome::kFail || item.outcome == Outcome::kUnknown || item.outcome == Outcome::kError;
}

}  // namespace

std::string_view to_string(ChangeKind kind) { return kChangeKinds.at(static_cast<std::size_t>(kind)); }

Comparison compare(const Report& before, const Report& after) {
  Comparison out;
  warn(before, after, out);
  const auto old_entries = entries_of(before);
  const auto new_entries = entries_of(after);
  const auto old_items = by_key(old_entries);
  const auto new_items = by_key(new_entries);
  for (const auto& [item, key] : new_entries) {
    const auto old = old_items.find(key);
    // A waived finding that is new is nothing to act on.
    const ChangeKind fresh = is_at_fault(item) ? ChangeKind::kNew : ChangeKind::kChanged;
    Change change = change_of(item, old == old_items.end() ? fresh : kind_of(*old->second, item));
    if (old != old_items.end()) change.before = old->second->outcome;
    change.after = item.outcome;
    out.changes.push_back(std::move(change));
  }
  const Sight sight(after);
  for (const auto& [item, key] : old_entries) {
    if (new_items.contains(key)) continue;
    Change change = change_of(item, sight.sees(item) ? ChangeKind::kFixed : ChangeKind::kUnseen);
    change.before = item.outcome;
    out.changes.push_back(std::move(change));
  }
  std::stable_sort(out.changes.begin(), out.changes.end(), [](const Change& a, const Change& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.severity != b.severity) return a.severity > b.severity;
    return a.rule < b.rule;
  });
  return out;
}

bool is_worse(const Comparison& comparison, Severity severity) {
  return std::any_of(comparison.changes.begin(), comparison.changes.end(), [&](const Change& change) {
    const bool worse = change.kind == ChangeKind::kNew || change.kind == ChangeKind::kWorse ||
                       (change.kind == ChangeKind::kUnseen && change.before != Outcome::kWaived);
    return worse && change.severity >= severity;
  });
}

void mark_baseline(const Report& baseline, Report& report) {
  const auto old_entries = entries_of(baseline);
  const auto old_items = by_key(old_entries);
  std::map<std::string, int> seen;
  for (auto& finding : report.rules) {
    // Items point into the finding: the states are written when all are known.
    std::map<const RowFinding*, BaselineState> rows;
    std::map<const HorizonFinding*, BaselineState> horizons;
    for (const auto& item : items_of(finding)) {
      if (!is_finding(item.outcome)) continue;
      const auto old = old_items.find(concat({item.identity, ":", std::to_string(++seen[item.identity])}));
      const bool is_known = old != old_items.end() && kind_of(*old->second, item) != ChangeKind::kWorse;
      const auto state = is_known ? BaselineState::kSame : BaselineState::kNew;
      if (item.row != nullptr) rows[item.row] = state;
      // One new thing makes what no row stands for new.
      if (item.row == nullptr && horizons[item.horizon] != BaselineState::kNew) horizons[item.horizon] = state;
    }
    for (auto& horizon : finding.horizons) {
      if (const auto found = horizons.find(&horizon); found != horizons.end()) horizon.baseline = found->second;
      for (auto& row : horizon.rows) {
        if (const auto found = rows.find(&row); found != rows.end()) row.baseline = found->second;
      }
    }
  }
}

int exit_code_of_new(const Report& report, bool allow_unknown) {
  bool evaluated = false;
  bool undecided = false;
  for (const auto& finding : report.rules) {
    evaluated = evaluated || finding.outcome != Outcome::kNotEvaluated;
    if (finding.rule.severity < report.gate) continue;
    undecided = undecided || finding.outcome == Outcome::kError;
    for (const auto& item : items_of(finding)) {
      if (item.baseline == BaselineState::kSame) continue;
      if (item.outcome == Outcome::kFail && finding.outcome == Outcome::kFail) return 2;
      // A failing row of a rule that is not known as a whole is not known either.
      undecided = undecided || item.outcome == Outcome::kError || (is_at_fault(item) && !allow_unknown);
    }
  }
  return !evaluated || undecided ? 1 : 0;
}

}  // namespace gpuharden
