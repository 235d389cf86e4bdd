// SPDX-License-Identifier: GPL-2.0-or-later
// What changed between two reports, for people and for programs.
#include <map>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/report/compare.h"
#include "engine/report/words.h"

namespace gpuharden {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<ChangeKind, 6> kKinds = {ChangeKind::kNew,   ChangeKind::kWorse,   ChangeKind::kUnseen,
                                              ChangeKind::kFixed, ChangeKind::kChanged, ChangeKind::kSame};

std::map<ChangeKind, std::int64_t> counts_of(const Comparison& comparison) {
  std::map<ChangeKind, std::int64_t> counts;
  for (const auto& change : comparison.changes) ++counts[change.kind];
  return counts;
}

std::string outcomes_of(const Change& change) {
  const auto word = [](const std::optional<Outcome>& outcome) {
    return outcome ? in_words(to_string(*outcome)) : std::string("none");
  };
  return concat({word(change.before), " -> ", word(change.after)});
}

std::string text_of(const Change& change) {
  std::string out = concat(
      {pad(to_string(change.kind), 8), " ", pad(to_string(change.severity), 8), " ", escape_for_terminal(change.rule)});
  if (change.horizon != "now") out += concat({" (", escape_for_terminal(in_words(change.horizon)), ")"});
  out += concat({"   ", outcomes_of(change), "\n"});
  if (!change.file.empty()) {
    out += concat({"    ", escape_for_terminal(change.file),
                   change.line > 0 ? concat({":", std::to_string(change.line)}) : "", "\n"});
  }
  return out + concat({"    ", escape_for_terminal(cut_text(change.message, 2000)), "\n"});
}

Json report_head(const Report& report) {
  return {{"host", replace_invalid_utf8(report.host.name)},
          {"profile", replace_invalid_utf8(report.profile)},
          {"started", format_time(report.started)},
          {"exit_code", report.exit_code}};
}

Json outcome_of(const std::optional<Outcome>& outcome) { return outcome ? Json(to_string(*outcome)) : Json(nullptr); }

Json json_of(const Change& change) {
  Json out = {{"kind", to_string(change.kind)},
              {"rule", replace_invalid_utf8(change.rule)},
              {"horizon", replace_invalid_utf8(change.horizon)},
              {"severity", to_string(change.severity)},
              {"subject", replace_invalid_utf8(change.subject)},
              {"message", replace_invalid_utf8(change.message)}};
  if (!change.file.empty()) out["file"] = replace_invalid_utf8(change.file);
  if (change.line > 0) out["line"] = change.line;
  out["before"] = outcome_of(change.before);
  out["after"] = outcome_of(change.after);
  out["identity"] = change.identity;
  return out;
}

}  // namespace

std::string write_diff_text(const Report& before, const Report& after, const Comparison& comparison) {
  std::string out = concat({escape_for_terminal(before.host.name), " ", format_time(before.started), " -> ",
                            escape_for_terminal(after.host.name), " ", format_time(after.started), "\n"});
  for (const auto& warning : comparison.warnings) out += concat({"note: ", escape_for_terminal(warning), "\n"});
  out += "\n";
  for (const auto kind : kKinds) {
    if (kind == ChangeKind::kSame) continue;
    for (const auto& change : comparison.changes) {
      if (change.kind == kind) out += text_of(change);
    }
  }
  auto counts = counts_of(comparison);
  std::vector<std::string> words;
  for (const auto kind : kKinds) words.push_back(concat({std::to_string(counts[kind]), " ", to_string(kind)}));
  return out + concat({"\n  ", join(words, "   "), "\n"});
}

std::string write_diff_json(const Report& before, const Report& after, const Comparison& comparison) {
  Json counts = Json::object();
  auto numbers = counts_of(comparison);
  for (const auto kind : kKinds) counts[std::string(to_string(kind))] = numbers[kind];
  Json changes = Json::array();
  for (const auto& change : comparison.changes) changes.push_back(json_of(change));
  Json warnings = Json::array();
  for (const auto& warning : comparison.warnings) warnings.push_back(replace_invalid_utf8(warning));
  const Json out = {{"format", "gpuharden.diff/1"}, {"before", report_head(before)},   {"after", report_head(after)},
                    {"counts", std::move(counts)},  {"warnings", std::move(warnings)}, {"changes", std::move(changes)}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpuharden
