// SPDX-License-Identifier: GPL-2.0-or-later
// plan and apply: what would be done about the findings, and doing it.
#include <sys/random.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>

#include "engine/apply/confirm.h"
#include "engine/base/text.h"
#include "engine/cli/change_target.h"
#include "engine/cli/command.h"
#include "engine/cli/plan_writer.h"
#include "engine/scan/audit.h"

namespace gpuharden {
namespace {

constexpr int kExitFailing = 2;     // something still fails, or was left alone
constexpr int kExitChanges = 3;     // plan: changes are pending
constexpr int kExitPending = 4;     // done; a reboot or restart is pending
constexpr int kExitLeftBehind = 5;  // failed, and not fully taken back

struct ApplyCommand {
  RuleOptions rules;
  HostOptions host;
  std::vector<std::string> accept;
  std::vector<std::string> waivers;  // files
  std::string format = "text";
  bool only_plan = false;
  bool yes = false;
  bool trust_rules = false;
  int confirm_within = 0;  // seconds; 0: no window
};

// How things stand; what is waived is left alone.
std::optional<Report> audit_waived(const ApplyCommand& command, const Catalog& catalog, const Selection& selection,
                                   const std::vector<Waiver>& waivers) {
  auto report = audit_now(command.host, catalog, selection, {{Severity::kInfo, false}, selection.deep, false});
  if (report) apply_waivers(waivers, waiver_day(catalog, report->started), *report);
  return report;
}

bool is_trusted(const Catalog& catalog, const ApplyCommand& command) {
  const bool shipped = catalog.trust == "shipped" || catalog.trust == "overridden";
  if (shipped || command.trust_rules || command.only_plan) return true;
  complain(concat({"the rules are not the shipped ones (", catalog.trust,
                   "): whoever can change them would change this machine. --trust-rules says that you know them"}));
  return false;
}

std::optional<std::vector<AcceptedRisk>> accepted_risks(const ApplyCommand& command, const Selection& selection) {
  std::vector<AcceptedRisk> accepted;
  for (const auto& text : selection.accept) {
    if (auto risk = parse_accepted_risk(text)) accepted.push_back(*risk);
  }
  for (const auto& text : command.accept) {
    auto risk = parse_accepted_risk(text);
    if (!risk) {
      complain(concat({"--accept ", risk.error().message}));
      return std::nullopt;
    }
    accepted.push_back(std::move(risk).value());
  }
  return accepted;
}

// Sorts by age, and is not taken by two that begin in one second.
std::string new_id(std::time_t now) {
  tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &utc);
  unsigned char random[2] = {};
  if (::getrandom(random, sizeof random, 0) != sizeof random) random[0] = static_cast<unsigned char>(::getpid());
  return concat({text, "-", to_hex({reinterpret_cast<const char*>(random), sizeof random})});
}

TransactionHeader new_header(const ApplyCommand& command, const ChangeTarget& target) {
  const Clocks clocks = clocks_of(target);
  TransactionHeader header;
  header.id = new_id(clocks.now);
  header.tool_version = GPUHARDEN_VERSION;
  header.profile = command.rules.selection.profile;
  header.started = clocks.now;
  header.boot_id = clocks.boot_id;
  if (command.confirm_within > 0) {
    header.confirm_until = clocks.now + command.confirm_within;
    header.confirm_until_uptime = clocks.uptime + command.confirm_within;
  }
  return header;
}

std::vector<std::string> rules_of(const Plan& plan) {
  std::vector<std::string> rules;
  for (const auto& item : plan.items) {
    if (std::find(rules.begin(), rules.end(), item.rule) == rules.end()) rules.push_back(item.rule);
  }
  return rules;
}

std::string why_it_fails(const RuleFinding& finding, const Plan& plan) {
  for (const auto& item : plan.items) {
    if (item.rule == finding.rule.id && !item.skipped.empty()) return item.skipped;
  }
  for (const auto& horizon : finding.horizons) {
    for (const auto& row : horizon.rows) {
      if (row.outcome == finding.outcome) return row.message.empty() ? row.subject : row.message;
    }
    if (!horizon.reason.empty()) return horizon.reason;
  }
  return std::string(to_string(finding.outcome));
}

std::vector<std::string> waits_of(const std::string& rule, const Plan& plan) {
  std::vector<std::string> waits;
  for (const auto& item : plan.items) {
    if (item.rule != rule || !item.skipped.empty()) continue;
    for (const auto& wait : item.waits) {
      if (std::find(waits.begin(), waits.end(), wait) == waits.end()) waits.push_back(wait);
    }
  }
  return waits;
}

// The affected rules are asked again: what was written down is not yet what is in force.
void judge_again(const Report& report, const Plan& plan, ApplySummary& summary) {
  for (const auto& finding : report.rules) {
    const auto& id = finding.rule.id;
    const bool is_good = finding.outcome == Outcome::kPass || finding.outcome == Outcome::kNotApplicable ||
                         finding.outcome == Outcome::kWaived;
    auto waits = waits_of(id, plan);
    if (finding.outcome == Outcome::kNotEvaluated && waits.empty())
      waits.emplace_back("what a tree of files cannot tell");
    if (is_good && waits.empty()) {
      summary.passing.push_back(id);
    } else if (!waits.empty()) {
      summary.pending.push_back(concat({id, ": ", join(waits, "; ")}));
    } else if (finding.rule.fix.action.empty()) {
      summary.by_hand.push_back(id);
    } else {
      summary.failing.push_back(concat({id, ": ", why_it_fails(finding, plan)}));
    }
  }
  if (!summary.failing.empty() || !summary.by_hand.empty()) {
    summary.exit_code = kExitFailing;
  } else if (!summary.pending.empty()) {
    summary.exit_code = kExitPending;
  }
}

bool change(const ApplyCommand& command, const Plan& plan, ChangeTarget& target, ApplySummary& summary) {
  const TransactionHeader header = new_header(command, target);
  const Uninterrupted uninterrupted;
  if (header.confirm_until) {
    if (const auto watched = watch_window(header, *target.tree, *target.kernel); !watched) {
      summary.failure = watched.error().message;
      summary.exit_code = kExitNoVerdict;
      return false;
    }
  }
  const auto result = target.executor->apply(header, plan.steps);
  write_system_log(command.host.root,
                   concat({"apply ", header.id, ": ", result.reason.empty() ? "done" : result.reason}));
  if (result.outcome == ExecuteOutcome::kDone) {
    summary.transaction = header.id;
    return true;
  }
  summary.failure = result.reason;
  summary.left_behind = result.left;
  summary.exit_code = result.outcome == ExecuteOutcome::kLeftBehind ? kExitLeftBehind : kExitNoVerdict;
  return false;
}

int finish(const ApplyCommand& command, const Plan& plan, const ApplySummary& summary) {
  const bool good = print(command.format == "json" ? plan_as_json(plan, &summary) : summary_as_text(summary));
  return good ? summary.exit_code : kExitNoVerdict;
}

bool is_agreed(const ApplyCommand& command, const Plan& plan) {
  if (command.format == "text") print(plan_as_text(plan));
  if (!plan.has_changes() || command.yes) return true;
  if (ask_on_terminal("Make these changes?")) return true;
  complain("nothing was changed (--yes makes the changes without asking)");
  return false;
}

int run_apply(const ApplyCommand& command) {
  if (::geteuid() != 0) {
    complain("only root can do this");
    return kExitNoVerdict;
  }
  auto catalog = load_catalog_or_complain(command.rules);
  if (!catalog || !is_trusted(*catalog, command)) return kExitNoVerdict;
  auto selection = select_or_complain(*catalog, command.rules);
  if (!selection) return kExitUsage;
  const auto accepted = accepted_risks(command, *selection);
  if (!accepted) return kExitUsage;
  const auto waivers = load_waivers_or_complain(command.waivers);
  if (!waivers) return kExitNoVerdict;
  auto target = command.only_plan ? open_to_look(command.host.root) : open_to_change(command.host.root);
  if (!target) {
    complain(target.error().message);
    return kExitNoVerdict;
  }
  const auto before = audit_waived(command, *catalog, *selection, *waivers);
  if (!before) return kExitNoVerdict;
  const Plan plan = make_plan(*before, *target->host, *target->tree, *target->kernel, *accepted);
  if (command.only_plan) {
    print(command.format == "json" ? plan_as_json(plan, nullptr) : plan_as_text(plan));
    return plan.has_changes() ? kExitChanges : kExitOk;
  }
  if (!is_agreed(command, plan)) return kExitChanges;

  ApplySummary summary;
  if (plan.has_changes() && !change(command, plan, *target, summary)) return finish(command, plan, summary);
  if (plan.items.empty()) return finish(command, plan, summary);
  const auto affected = rules_of(plan);
  std::erase_if(selection->rules, [&](const Rule& rule) {
    return std::find(affected.begin(), affected.end(), rule.id) == affected.end();
  });
  const auto after = audit_waived(command, *catalog, *selection, *waivers);
  if (!after) return kExitNoVerdict;
  judge_again(*after, plan, summary);
  return finish(command, plan, summary);
}

void add_options(CLI::App& sub, const std::shared_ptr<ApplyCommand>& command) {
  add_rule_options(sub, command->rules);
  sub.add_option("--root", command->host.root, "The tree below this folder instead of this machine");
  sub.add_option("--timeout", command->host.timeout, "Seconds for reading everything")->capture_default_str();
  sub.add_option("--accept", command->accept, "A risk that may be taken, or RISK:RULES; may be repeated")->take_all();
  sub.add_option("--waivers", command->waivers, "File of waivers, beside /etc/gpuharden/waivers.d; may be repeated");
  sub.add_option("-f,--format", command->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  sub.add_flag("--trust-rules", command->trust_rules, "Use rules that others than root could have changed");
}

}  // namespace

void add_plan_command(CLI::App& app, Runner& run) {
  auto command = std::make_shared<ApplyCommand>();
  command->only_plan = true;
  auto* sub = app.add_subcommand("plan", "Show what apply would change, and change nothing");
  add_options(*sub, command);
  sub->footer("Exit: 0 nothing to do; 3 changes are pending; 1 no plan; 64 bad usage.");
  sub->callback([command, &run] { run = [command] { return run_apply(*command); }; });
}

void add_apply_command(CLI::App& app, Runner& run) {
  auto command = std::make_shared<ApplyCommand>();
  auto* sub = app.add_subcommand("apply", "Do something about what fails, so that it can be taken back");
  add_options(*sub, command);
  sub->add_flag("--dry-run", command->only_plan, "The same as the command plan");
  sub->add_flag("-y,--yes", command->yes, "Do not ask");
  sub->add_option("--confirm-within", command->confirm_within,
                  "Take everything back unless it is confirmed in this many seconds")
      ->check(CLI::Range(10, 86400));
  sub->footer(
      "Exit: 0 what failed passes now; 4 done, a reboot or restart is pending; 2 something still fails or was\n"
      "      left alone; 1 failed and taken back; 5 failed and not fully taken back; 3 not agreed to; 64 bad usage.");
  sub->callback([command, &run] { run = [command] { return run_apply(*command); }; });
}

}  // namespace gpuharden
