// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/plan.h"

#include <algorithm>

#include "engine/apply/plan_draft.h"
#include "engine/base/line_edit.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

// "{column}" filled in from the row; a column that is not there, or has no value, is an error.
Result<std::string> fill_in(std::string_view text, const RowFinding& row) {
  std::string out;
  for (;;) {
    const auto open = text.find('{');
    const auto close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) return out += std::string(text);
    out += text.substr(0, open);
    const auto name = text.substr(open + 1, close - open - 1);
    const auto found = std::find_if(row.evidence.begin(), row.evidence.end(),
                                    [&](const Evidence& evidence) { return evidence.name == name; });
    if (name == "file") {
      out += row.file;
    } else if (name == "line") {
      out += std::to_string(row.line);
    } else if (name == "subject") {
      out += row.subject;
    } else if (found == row.evidence.end() || found->kind == ValueKind::kNull) {
      return Error{ErrorCode::kNotFound, concat({"the row has no value of ", name})};
    } else {
      out += found->kind == ValueKind::kInteger ? std::to_string(found->integer) : found->text;
    }
    text.remove_prefix(close + 1);
  }
}

Result<FixRequest> request_for(const Rule& rule, const Action& action, const RowFinding& row) {
  FixRequest request{rule.id, row.subject, {}};
  for (const auto& argument : action.arguments) {
    const std::string name(argument.name);
    const auto text = rule.fix.args.find(name);
    auto value = text == rule.fix.args.end() ? Result<std::string>(std::string()) : fill_in(text->second, row);
    if (argument.is_required && !value) return value.error();
    if (argument.is_required && value->empty())
      return Error{ErrorCode::kNotFound, concat({"nothing says what ", name, " shall be"})};
    if (value && !value->empty()) request.args[name] = std::move(value).value();
  }
  return request;
}

bool is_accepted(Risk risk, const std::string& rule, const std::vector<AcceptedRisk>& accepted) {
  return std::any_of(accepted.begin(), accepted.end(),
                     [&](const AcceptedRisk& one) { return one.risk == risk && glob_match(one.rules, rule); });
}

class Planner {
 public:
  Planner(const Host& host, TreeWriter& tree, KernelControl& kernel, const std::vector<AcceptedRisk>& accepted)
      : draft_(host, tree, kernel), accepted_(accepted) {}

  void add(const RuleFinding& finding, const RowFinding& row) {
    PlanItem item;
    item.rule = finding.rule.id;
    item.title = finding.rule.title;
    item.subject = row.subject;
    item.message = row.message;
    item.severity = finding.rule.severity;
    item.has_fix = !finding.rule.fix.action.empty();
    draft_.begin(finding.rule.id);
    const auto planned = plan(finding.rule, row);
    // Each is accepted by itself: who risks a restart has not agreed to lose GPUs.
    std::set<Risk> risks = draft_.risks();
    risks.insert(parse_risk(finding.rule.fix.risk).value_or(Risk::kLockout));
    risks.erase(Risk::kNone);
    item.risk = risks.empty() ? Risk::kNone : *risks.rbegin();
    std::erase_if(risks, [&](Risk risk) { return is_accepted(risk, item.rule, accepted_); });
    item.reasons = draft_.reasons();
    item.waits = draft_.waits();
    if (!planned) {
      item.skipped = planned.error().message;
    } else if (!risks.empty()) {
      const auto risk = to_string(*risks.rbegin());
      item.skipped = concat({"its risk is not accepted: ", risk, " (--accept ", risk, ":", item.rule, ")"});
    }
    draft_.end(item.skipped.empty());
    plan_.items.push_back(std::move(item));
  }

  Plan finish() {
    plan_.steps = draft_.steps();
    return std::move(plan_);
  }

 private:
  Status plan(const Rule& rule, const RowFinding& row) {
    if (rule.fix.action.empty()) return Error{ErrorCode::kNotFound, "no automatic fix"};
    const Action* action = find_action(rule.fix.action);
    if (action == nullptr) return Error{ErrorCode::kNotFound, concat({"there is no action ", rule.fix.action})};
    GH_ASSIGN_OR_RETURN(const FixRequest request, request_for(rule, *action, row));
    return action->plan(request, draft_);
  }

  PlanDraft draft_;
  const std::vector<AcceptedRisk>& accepted_;
  Plan plan_;
};

bool may_be_shown(const FileState& state) { return !state.exists || (state.mode & 0004U) != 0; }

bool is_text_edit(const FileStep& step) {
  const auto is_text = [](const FileState& s) { return !s.exists || s.type == FileType::kRegular; };
  return is_text(step.before) && is_text(step.after) && step.before.bytes != step.after.bytes;
}

}  // namespace

Result<AcceptedRisk> parse_accepted_risk(std::string_view text) {
  const auto colon = text.find(':');
  const auto risk = parse_risk(text.substr(0, colon));
  if (!risk || *risk == Risk::kNone)
    return Error{ErrorCode::kMalformed, concat({text, ": the risks are restart, reboot, gpu-loss and lockout"})};
  return AcceptedRisk{*risk, colon == std::string_view::npos ? "*" : std::string(text.substr(colon + 1))};
}

Plan make_plan(const Report& report, const Host& host, TreeWriter& tree, KernelControl& kernel,
               const std::vector<AcceptedRisk>& accepted) {
  Planner planner(host, tree, kernel, accepted);
  for (const auto& finding : report.rules) {
    std::set<std::string> seen;  // the same row may fail in several horizons
    for (const auto& horizon : finding.horizons) {
      // Where a gap counts more than a row that fails by what is missing, nothing is known to be wrong.
      if (horizon.outcome != Outcome::kFail) continue;
      for (const auto& row : horizon.rows) {
        if (row.outcome == Outcome::kFail && seen.insert(row.fingerprint + horizon.name).second)
          planner.add(finding, row);
      }
    }
  }
  return planner.finish();
}

std::string show_steps(const std::vector<Step>& steps) {
  std::string out;
  for (const auto& step : steps) {
    out += concat({escape_for_terminal(describe(step.body)), "\n"});
    const auto* file = std::get_if<FileStep>(&step.body);
    if (file == nullptr || !is_text_edit(*file)) continue;
    // A new file holds what we write into it, and nobody's secrets.
    const bool is_new = !file->before.exists;
    if (!is_new && (!may_be_shown(file->before) || !may_be_shown(file->after))) {
      out += "  (not shown: not everybody may read it)\n";
      continue;
    }
    const std::string diff = unified_diff(file->before.exists ? file->path : "/dev/null", file->before.bytes,
                                          file->after.exists ? file->path : "/dev/null", file->after.bytes);
    for (const auto line : split(diff, '\n')) {
      if (!line.empty()) out += concat({"  ", escape_for_terminal(line), "\n"});
    }
  }
  return out;
}

}  // namespace gpuharden
