// SPDX-License-Identifier: GPL-2.0-or-later
// A layer for the ATT&CK Navigator: what share of the rules for a technique passes on this host.
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/report/taxonomies.h"
#include "engine/report/words.h"
#include "engine/report/writer.h"

namespace gpuharden {
namespace {

using Json = nlohmann::ordered_json;

struct TechniqueRules {
  std::map<Outcome, std::vector<std::string>> by_outcome;
};

std::map<std::string, TechniqueRules> techniques_of(const Report& report) {
  std::map<std::string, TechniqueRules> techniques;
  for (const auto& finding : report.rules) {
    for (const auto& reference : finding.attack)
      techniques[reference.id].by_outcome[finding.outcome].push_back(finding.rule.id);
  }
  return techniques;
}

std::size_t number(const TechniqueRules& rules, Outcome outcome) {
  const auto found = rules.by_outcome.find(outcome);
  return found == rules.by_outcome.end() ? 0 : found->second.size();
}

Json technique(const std::string& id, const TechniqueRules& rules) {
  std::size_t decided = 0;
  std::vector<std::string> sentences;
  Json metadata = Json::array();
  for (const auto outcome : kOutcomesWorstFirst) {
    const auto count = number(rules, outcome);
    if (count == 0) continue;
    // Where there is nothing to examine, or nothing can be, a technique is neither covered nor open.
    if (outcome != Outcome::kNotApplicable && outcome != Outcome::kNotEvaluated) decided += count;
    const std::string word = in_words(to_string(outcome));
    sentences.push_back(concat({word, ": ", join(rules.by_outcome.at(outcome), ", ")}));
    metadata.push_back({{"name", word}, {"value", std::to_string(count)}});
  }
  Json out = {{"techniqueID", replace_invalid_utf8(id)}, {"enabled", true}};
  if (decided > 0) out["score"] = 100 * number(rules, Outcome::kPass) / decided;
  out["comment"] = replace_invalid_utf8(join(sentences, "\n"));
  out["metadata"] = std::move(metadata);
  out["showSubtechniques"] = true;
  return out;
}

std::string warnings_of(const Report& report) {
  std::string out;
  for (const auto& warning : report.warnings) out += concat({"\n", cut_text(warning, 1024)});
  return out;
}

}  // namespace

std::string write_navigator(const Report& report, const WriterOptions&) {
  Json techniques = Json::array();
  for (const auto& [id, rules] : techniques_of(report)) techniques.push_back(technique(id, rules));
  const std::string host = cut_text(report.host.name, 256);
  Json out = {
      {"name", concat({"gpuharden: ", host})},
      {"versions", {{"attack", kAttackVersion}, {"navigator", "5.1.0"}, {"layer", "4.5"}}},
      {"domain", "enterprise-attack"},
      {"description", concat({"Share of the rules that pass, in percent, of those that could be decided. "
                              "Waived rules and those that are not known count as not passed. Profile ",
                              cut_text(report.profile, 256), ", ", format_time(report.started), warnings_of(report)})},
      {"filters", {{"platforms", {"Linux", "Containers", "Network Devices"}}}},
      {"sorting", 3},
      {"hideDisabled", false},
      {"techniques", std::move(techniques)},
      {"gradient", {{"colors", {"#d9534fff", "#f0c04fff", "#4f9f5fff"}}, {"minValue", 0}, {"maxValue", 100}}},
      {"showTacticRowBackground", false},
      {"selectTechniquesAcrossTactics", true},
      {"selectSubtechniquesWithParent", false}};
  Json legend = Json::array();
  legend.push_back({{"label", "no rule passes"}, {"color", "#d9534fff"}});
  legend.push_back({{"label", "every rule passes"}, {"color", "#4f9f5fff"}});
  out["legendItems"] = std::move(legend);
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpuharden
