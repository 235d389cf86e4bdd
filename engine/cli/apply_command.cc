// SPDX-License-Identifier: GPL-2.0-or-later
// plan and apply: what would be done about the findings, and doing it.
#include <sys/random.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "engine/apply/confirm.h"
#include "engine/base/text.h"
#include "engine/cli/apply_verdict.h"
#include "engine/cli/change_target.h"
#include "engine/cli/command.h"
#include "engine/cli/plan_writer.h"
#include "engine/scan/audit.h"

namespace gpuharden {
namespace {

constexpr int kMaxRounds = 10;

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

// Sorts by age, also within a second: the rounds of one apply follow each other. Not taken by two that begin at once.
std::string new_id() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  tm utc{};
  ::gmtime_r(&now.tv_sec, &utc);
  char text[48];
  const auto length = std::strftime(text, sizeof text, "%Y%m%dT%H%M%S", &utc);
  std::snprintf(text + length, sizeof text - length, ".%06ldZ", now.tv_nsec / 1000);
  unsigned char random[2] = {};
  if (::getrandom(random, sizeof random, 0) != sizeof random) random[0] = static_cast<unsigned char>(::getpid());
  return concat({text, "-", to_hex({reinterpret_cast<const char*>(random), sizeof random})});
}

TransactionHeader new_header(const ApplyCommand& command, const ChangeTarget& target) {
  const Clocks clocks = clocks_of(target);
  TransactionHeader header;
  header.id = new_id();
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
    summary.transactions.push_back(header.id);
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

std::optional<Plan> plan_for(const ApplyCommand& command, const Report& report, ChangeTarget& target,
                             const std::vector<AcceptedRisk>& accepted) {
  const auto host = open_host(command.host.root);
  if (host) return make_plan(report, **host, *target.tree, *target.kernel, accepted);
  complain(host.error().message);
  return std::nullopt;
}

// One finding can hide another: an assignment that came later, a setting in a file that is read first. So what fails
// again is planned again, until nothing new can be done. Each round is a transaction of its own. While a window for a
// confirmation is open there is one round only: it is that round which is to be confirmed. Returns everything that
// was planned; nothing when the machine could not be looked at again.
template <typename Audit>
std::optional<Plan> converge(const ApplyCommand& command, Plan plan, ChangeTarget& target,
                             const std::vector<AcceptedRisk>& accepted, Audit audit, ApplySummary& summary) {
  Plan all = plan;
  for (int round = 1;; ++round) {
    if (plan.has_changes() && !change(command, plan, target, summary)) return all;
    const auto after = audit();
    if (!after) return std::nullopt;
    const auto end = [&] {
      judge_again(*after, all, summary);
      return all;
    };
    const bool may_go_on = plan.has_changes() && round < kMaxRounds && command.confirm_within == 0;
    if (!may_go_on) return end();
    auto next = plan_for(command, *after, target, accepted);
    if (!next) return std::nullopt;
    const bool is_new = next->has_changes() && show_steps(next->steps) != show_steps(plan.steps);
    if (!is_new || !is_agreed(command, *next)) return end();
    all.items.insert(all.items.end(), next->items.begin(), next->items.end());
    all.steps.insert(all.steps.end(), next->steps.begin(), next->steps.end());
    plan = *std::move(next);
  }
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
  auto planned = plan_for(command, *before, *target, *accepted);
  if (!planned) return kExitNoVerdict;
  Plan plan = *std::move(planned);
  if (command.only_plan) {
    print(command.format == "json" ? plan_as_json(plan, nullptr) : plan_as_text(plan));
    return plan.has_changes() ? kExitChanges : kExitOk;
  }
  if (!is_agreed(command, plan)) return kExitChanges;

  ApplySummary summary;
  if (plan.items.empty()) return finish(command, plan, summary);
  const auto affected = rules_of(plan);
  std::erase_if(selection->rules, [&](const Rule& rule) {
    return std::find(affected.begin(), affected.end(), rule.id) == affected.end();
  });
  const auto audit_again = [&] { return audit_waived(command, *catalog, *selection, *waivers); };
  const auto after = converge(command, std::move(plan), *target, *accepted, audit_again, summary);
  return after ? finish(command, *after, summary) : kExitNoVerdict;
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
