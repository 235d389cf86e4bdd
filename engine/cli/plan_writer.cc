// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/cli/plan_writer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"

namespace gpuharden {
namespace {
using Json = nlohmann::ordered_json;

void add_lines(std::string& out, std::string_view lead, const std::vector<std::string>& lines) {
  for (const auto& line : lines) out += concat({lead, escape_for_terminal(line), "\n"});
}

void add_item(std::string& out, const PlanItem& item) {
  out += concat({"  ", escape_for_terminal(item.message.empty() ? item.subject : item.message), "\n"});
  if (!item.skipped.empty()) {
    out += concat({"    left alone: ", escape_for_terminal(item.skipped), "\n"});
    return;
  }
  if (item.risk != Risk::kNone) out += concat({"    risk: ", to_string(item.risk), "\n"});
  add_lines(out, "    ", item.reasons);
  add_lines(out, "    in force after: ", item.waits);
}

std::string counted(std::size_t count, std::string_view what) {
  return concat({std::to_string(count), " ", what, count == 1 ? "" : "s"});
}

Json item_to_json(const PlanItem& item) {
  const auto safe = [](const std::string& text) { return replace_invalid_utf8(text); };
  Json json = {{"rule", item.rule},
               {"severity", to_string(item.severity)},
               {"subject", safe(item.subject)},
               {"message", safe(item.message)},
               {"planned", item.skipped.empty()},
               {"risk", to_string(item.risk)},
               {"reasons", Json::array()},
               {"pending", Json::array()}};
  for (const auto& reason : item.reasons) json["reasons"].push_back(safe(reason));
  for (const auto& wait : item.waits) json["pending"].push_back(safe(wait));
  if (!item.skipped.empty()) json["skipped"] = safe(item.skipped);
  return json;
}

}  // namespace

std::string plan_as_text(const Plan& plan) {
  std::string out;
  std::string rule;
  std::vector<std::string> by_hand;
  std::size_t left_alone = 0;
  for (const auto& item : plan.items) {
    if (!item.skipped.empty()) ++left_alone;
    if (!item.has_fix) {
      if (by_hand.empty() || by_hand.back() != item.rule) by_hand.push_back(item.rule);
      continue;
    }
    if (item.rule != rule) out += concat({out.empty() ? "" : "\n", item.rule, "   ", item.title, "\n"});
    rule = item.rule;
    add_item(out, item);
  }
  if (plan.has_changes()) out += concat({"\n", show_steps(plan.steps)});
  if (!by_hand.empty())
    out += concat({out.empty() ? "" : "\n", "by hand only (gpuharden explain RULE): ", join(by_hand, ", "), "\n"});
  return out + concat({out.empty() ? "" : "\n", counted(plan.steps.size(), "change"), " for ",
                       counted(plan.items.size() - left_alone, "finding"), "; ", counted(left_alone, "finding"),
                       " left alone\n"});
}

std::string plan_as_json(const Plan& plan, const ApplySummary* summary) {
  Json json = {{"format", "gpuharden.plan/1"}, {"findings", Json::array()}, {"changes", Json::array()}};
  for (const auto& item : plan.items) json["findings"].push_back(item_to_json(item));
  for (const auto& step : plan.steps) {
    json["changes"].push_back({{"rules", step.rules},
                               {"what", replace_invalid_utf8(describe(step.body))},
                               {"diff", replace_invalid_utf8(show_steps({step}))}});
  }
  if (summary != nullptr) {
    json["result"] = {{"transactions", summary->transactions}, {"passing", summary->passing},
                      {"failing", summary->failing},           {"by_hand", summary->by_hand},
                      {"pending", summary->pending},           {"left_behind", summary->left_behind},
                      {"failure", summary->failure},           {"exit_code", summary->exit_code}};
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string summary_as_text(const ApplySummary& summary) {
  std::string out;
  if (!summary.failure.empty()) out += concat({"failed: ", escape_for_terminal(summary.failure), "\n"});
  add_lines(out, "not taken back: ", summary.left_behind);
  add_lines(out, "passes now: ", summary.passing);
  add_lines(out, "pending: ", summary.pending);
  add_lines(out, "still fails: ", summary.failing);
  if (!summary.by_hand.empty())
    out += concat({"still fails, to be mended by hand (gpuharden explain RULE): ", join(summary.by_hand, ", "), "\n"});
  if (summary.transactions.size() == 1)
    out += concat({"transaction ", summary.transactions[0], "; gpuharden rollback takes it back\n"});
  if (summary.transactions.size() > 1)
    out += concat({"transactions ", join(summary.transactions, ", "), "; gpuharden rollback ", summary.transactions[0],
                   " takes them back\n"});
  return out;
}

}  // namespace gpuharden
