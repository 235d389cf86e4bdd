// SPDX-License-Identifier: GPL-2.0-or-later
// confirm, rollback, recover, history, status: what becomes of changes after they were made.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "engine/apply/confirm.h"
#include "engine/apply/plan.h"
#include "engine/base/text.h"
#include "engine/cli/apply_verdict.h"
#include "engine/cli/change_target.h"
#include "engine/cli/command.h"

namespace gpuharden {
namespace {
using Json = nlohmann::ordered_json;

struct TransactionCommand {
  std::string root;
  std::string id;
  std::string format = "text";
  bool skip_conflicts = false;
  bool force = false;
  bool yes = false;
};

int failed(const Error& error) {
  complain(error.message);
  return kExitNoVerdict;
}

std::string date_and_time(std::int64_t seconds) {
  const std::time_t time = seconds;
  tm utc{};
  ::gmtime_r(&time, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%SZ", &utc);
  return text;
}

bool is_in_force(const Transaction& transaction) {
  return transaction.state == TransactionState::kApplied || transaction.state == TransactionState::kConfirmed;
}

// Those that are in force, newest first; all younger than the one that is named go with it.
Result<std::vector<Transaction>> to_take_back(const Files& files, const std::string& id) {
  GH_ASSIGN_OR_RETURN(auto all, read_journals(files));
  std::reverse(all.begin(), all.end());
  std::vector<Transaction> wanted;
  bool found = false;
  for (auto& transaction : all) {
    const bool is_it = transaction.header.id == id;
    if (is_in_force(transaction)) wanted.push_back(transaction);
    found = is_it || (id.empty() && is_in_force(transaction));
    if (found) break;
  }
  if (!found && !id.empty()) return Error{ErrorCode::kNotFound, concat({"there is no transaction ", id})};
  if (wanted.empty()) return Error{ErrorCode::kNotFound, "nothing is in force that could be taken back"};
  if (!id.empty() && wanted.back().header.id != id)
    return Error{ErrorCode::kNotFound, concat({id, " is not in force any more"})};
  return wanted;
}

OnConflict on_conflict(const TransactionCommand& command) {
  if (command.force) return OnConflict::kForce;
  return command.skip_conflicts ? OnConflict::kSkip : OnConflict::kRefuse;
}

int roll_back(const Transaction& transaction, const TransactionCommand& command, ChangeTarget& target) {
  const auto& id = transaction.header.id;
  const auto result = target.executor->revert(transaction, "asked for", on_conflict(command));
  for (const auto* list : {&result.conflicts, &result.failures, &result.pending}) {
    for (const auto& sentence : *list) complain(concat({id, ": ", sentence}));
  }
  write_system_log(command.root, concat({"rollback ", id, ": ", result.is_done ? "done" : "not done"}));
  if (result.is_done) {
    print(concat({id, ": taken back\n"}));
    if (!result.conflicts.empty()) return kExitLeftBehind;
    return result.pending.empty() ? kExitOk : kExitPending;
  }
  if (!result.failures.empty()) return kExitLeftBehind;
  complain(concat({id, ": nothing was changed; --skip-conflicts leaves these as they are, --force overwrites them"}));
  return kExitNoVerdict;
}

int run_rollback(const TransactionCommand& command) {
  auto target = open_to_change(command.root);
  if (!target) return failed(target.error());
  const auto transactions = to_take_back(target->tree->files(), command.id);
  if (!transactions) return failed(transactions.error());
  std::string question;
  for (const auto& transaction : *transactions) {
    question += concat({transaction.header.id, " (", std::to_string(transaction.steps.size()), " changes)\n"});
  }
  if (!command.yes && !ask_on_terminal(question + "Take these back?")) {
    complain("nothing was changed (--yes takes changes back without asking)");
    return kExitNoVerdict;
  }
  const Uninterrupted uninterrupted;
  int worst = kExitOk;
  for (const auto& transaction : *transactions) {
    const int code = roll_back(transaction, command, *target);
    worst = std::max(worst, code);
    // What is older must not be taken back under what stayed.
    if (code != kExitOk && code != kExitPending) break;
  }
  return worst;
}

// Taking back what was interrupted or not confirmed is what opening does.
int run_recover(const TransactionCommand& command) {
  const Uninterrupted uninterrupted;
  const auto target = open_to_change(command.root);
  if (!target) return failed(target.error());
  const auto transactions = read_journals(target->tree->files());
  if (!transactions) return failed(transactions.error());
  const Clocks clocks = clocks_of(*target);
  const bool is_open = std::any_of(transactions->begin(), transactions->end(),
                                   [&](const Transaction& one) { return is_to_be_reverted(one, clocks); });
  return is_open ? kExitLeftBehind : kExitOk;
}

int run_confirm(const TransactionCommand& command) {
  auto target = open_to_change(command.root);
  if (!target) return failed(target.error());
  const auto transactions = read_journals(target->tree->files());
  if (!transactions) return failed(transactions.error());
  const auto host = open_host(command.root);
  if (!host) return failed(host.error());
  int confirmed = 0;
  for (const auto& transaction : *transactions) {
    if (!is_unconfirmed(transaction)) continue;
    const auto& id = transaction.header.id;
    if (!command.id.empty() && command.id != id) continue;
    const auto good = came_after((*host)->files(), transaction.ended, ::getpid());
    if (!good) return failed(good.error());
    const auto noted = target->journal->note(id, TransactionState::kConfirmed, "confirmed", {});
    if (!noted) return failed(noted.error());
    write_system_log(command.root, concat({"confirm ", id}));
    print(concat({id, ": confirmed\n"}));
    ++confirmed;
  }
  // Where none runs there is nothing to stop; one that goes off finds nothing to do.
  if (confirmed > 0) {
    (void)target->kernel->stop_revert_timer().has_value();
    return kExitOk;
  }
  complain("nothing waits to be confirmed");
  return kExitNoVerdict;
}

Json to_json(const Transaction& transaction, bool with_steps) {
  Json json = {{"id", transaction.header.id},
               {"profile", transaction.header.profile},
               {"started", transaction.header.started},
               {"state", to_string(transaction.state)},
               {"reason", replace_invalid_utf8(transaction.reason)},
               {"kept", transaction.kept},
               {"changes", transaction.steps.size()}};
  if (transaction.header.confirm_until) json["confirm_until"] = *transaction.header.confirm_until;
  if (!with_steps) return json;
  json["changes"] = Json::array();
  for (const auto& step : transaction.steps)
    json["changes"].push_back({{"rules", step.rules}, {"what", replace_invalid_utf8(describe(step.body))}});
  return json;
}

std::string to_text(const Transaction& transaction) {
  std::string out = concat({transaction.header.id, "  ", date_and_time(transaction.header.started), "  profile ",
                            transaction.header.profile, "  ", std::to_string(transaction.steps.size()), " changes  ",
                            to_string(transaction.state)});
  if (!transaction.reason.empty()) out += concat({" (", escape_for_terminal(transaction.reason), ")"});
  if (is_unconfirmed(transaction))
    out += concat({", to be confirmed until ", date_and_time(*transaction.header.confirm_until)});
  return out + "\n";
}

int run_history(const TransactionCommand& command) {
  const auto target = open_to_look(command.root);
  if (!target) return failed(target.error());
  const auto transactions = read_journals(target->tree->files());
  if (!transactions) return failed(transactions.error());
  std::string text;
  Json list = Json::array();
  for (const auto& transaction : *transactions) {
    if (!command.id.empty() && transaction.header.id != command.id) continue;
    list.push_back(to_json(transaction, !command.id.empty()));
    text += to_text(transaction);
    if (!command.id.empty()) text += show_steps(transaction.steps);
    for (const auto& kept : transaction.kept) text += concat({"  not taken back: ", escape_for_terminal(kept), "\n"});
  }
  if (list.empty() && !command.id.empty())
    return failed({ErrorCode::kNotFound, concat({"there is no transaction ", command.id})});
  if (list.empty()) text = "nothing was ever changed here\n";
  return print(command.format == "json" ? list.dump(2) + "\n" : text) ? kExitOk : kExitNoVerdict;
}

// What waits: a confirmation, or to be taken back.
int run_status(const TransactionCommand& command) {
  const auto target = open_to_look(command.root);
  if (!target) return failed(target.error());
  const auto transactions = read_journals(target->tree->files());
  if (!transactions) return failed(transactions.error());
  const Clocks clocks = clocks_of(*target);
  std::string text;
  Json json = {{"in_force", 0}, {"waiting", Json::array()}, {"interrupted", Json::array()}};
  int in_force = 0;
  for (const auto& transaction : *transactions) {
    if (is_in_force(transaction)) ++in_force;
    if (is_to_be_reverted(transaction, clocks)) {
      text += concat({"to be taken back (gpuharden recover): ", to_text(transaction)});
      json["interrupted"].push_back(transaction.header.id);
    } else if (is_unconfirmed(transaction)) {
      text += concat({"to be confirmed (gpuharden confirm): ", to_text(transaction)});
      json["waiting"].push_back(transaction.header.id);
    }
  }
  json["in_force"] = in_force;
  text +=
      concat({std::to_string(in_force), in_force == 1 ? " transaction is in force\n" : " transactions are in force\n"});
  return print(command.format == "json" ? json.dump(2) + "\n" : text) ? kExitOk : kExitNoVerdict;
}

CLI::App* add_command(CLI::App& app, Runner& run, const char* name, const char* doc,
                      int (*function)(const TransactionCommand&), std::shared_ptr<TransactionCommand> command) {
  auto* sub = app.add_subcommand(name, doc);
  sub->add_option("--root", command->root, "The tree below this folder instead of this machine");
  sub->callback([command, function, &run] { run = [command, function] { return function(*command); }; });
  return sub;
}

}  // namespace

void add_transaction_commands(CLI::App& app, Runner& run) {
  const auto command = [] { return std::make_shared<TransactionCommand>(); };
  auto options = command();
  auto* rollback = add_command(app, run, "rollback", "Take changes back, newest first", &run_rollback, options);
  rollback->add_option("id", options->id, "This transaction and all younger ones; without it the newest");
  rollback->add_flag("-y,--yes", options->yes, "Do not ask");
  auto* skip = rollback->add_flag("--skip-conflicts", options->skip_conflicts, "Leave what others have changed since");
  rollback->add_flag("--force", options->force, "Overwrite what others have changed since; their version is kept")
      ->excludes(skip);
  rollback->footer(
      "Exit: 0 taken back; 4 the same, a reboot or reload is pending; 1 nothing was changed; 5 not fully taken back.");

  options = command();
  auto* confirm =
      add_command(app, run, "confirm", "Say that one can still get in, so that a change stays", &run_confirm, options);
  confirm->add_option("id", options->id, "Only this transaction");
  confirm->footer("Counts from an SSH session that began after the change, or from a console of the machine.");

  options = command();
  add_command(app, run, "recover", "Take back what was interrupted or not confirmed in time", &run_recover, options);

  for (const auto& [name, doc, function] :
       {std::tuple{"history", "What was changed, and what became of it", &run_history},
        std::tuple{"status", "What waits to be confirmed or taken back", &run_status}}) {
    options = command();
    auto* sub = add_command(app, run, name, doc, function, options);
    if (function == &run_history) sub->add_option("id", options->id, "Only this transaction, with its changes");
    sub->add_option("-f,--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
  }
}

}  // namespace gpuharden
