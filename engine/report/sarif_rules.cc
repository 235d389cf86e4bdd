// SPDX-License-Identifier: GPL-2.0-or-later
// Rules as SARIF's reporting descriptors, and the taxonomies that they point into.
#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/report/sarif.h"
#include "engine/report/taxonomies.h"
#include "engine/report/words.h"

namespace gpuharden {
namespace {

constexpr std::string_view kAttack = "MITRE ATT&CK";
constexpr std::string_view kAtlas = "MITRE ATLAS";

// A string with a point, whatever the locale: GitHub refuses numbers and words.
std::string_view security_severity(Severity severity) {
  switch (severity) {
    case Severity::kCritical: return "9.5";
    case Severity::kHigh: return "8.0";
    case Severity::kMedium: return "5.5";
    case Severity::kLow: return "2.5";
    case Severity::kInfo: return "0.5";
  }
  return "0.5";
}

std::string_view problem_severity(Severity severity) {
  const auto level = sarif_level(severity);
  return level == "note" ? "recommendation" : level;
}

std::string text_within(std::string_view text, std::size_t limit, SarifCuts& cuts) {
  if (text.size() > limit) ++cuts.texts;
  return cut_text(text, limit);
}

SarifJson tags_of(const RuleFinding& finding, const SarifLimits& limits, SarifCuts& cuts) {
  std::vector<std::string> tags = {"security"};
  const auto add = [&](std::string tag) {
    if (std::find(tags.begin(), tags.end(), tag) == tags.end()) tags.push_back(std::move(tag));
  };
  for (const auto& reference : finding.attack) add("attack/" + replace_invalid_utf8(reference.id));
  for (const auto& id : finding.rule.atlas) add("atlas/" + replace_invalid_utf8(id));
  for (const auto& tag : finding.rule.tags) add(replace_invalid_utf8(tag));
  if (tags.size() > limits.tags) {
    cuts.tags += tags.size() - limits.tags;
    tags.resize(limits.tags);
  }
  return tags;
}

SarifJson relationship(std::string_view taxonomy, std::string_view id) {
  return {{"target", {{"id", replace_invalid_utf8(id)}, {"toolComponent", {{"name", taxonomy}}}}},
          {"kinds", SarifJson::array({"relevant"})}};
}

SarifJson relationships_of(const RuleFinding& finding) {
  SarifJson out = SarifJson::array();
  for (const auto& reference : finding.attack) out.push_back(relationship(kAttack, reference.id));
  for (const auto& id : finding.rule.atlas) out.push_back(relationship(kAtlas, id));
  return out;
}

std::string help_text(const Rule& rule) {
  std::string text = concat({rule.why, "\n\nFix: ", rule.manual.empty() ? "not known" : rule.manual});
  if (!rule.fix.action.empty()) text += concat({"\ngpuharden apply --check ", rule.id, " (risk: ", rule.fix.risk, ")"});
  for (const auto& reference : rule.references) text += concat({"\n", reference});
  return text;
}

// Our own rules are plain text; those of a user must not become pictures or links of their own.
std::string markdown_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>()#!|").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string help_markdown(const Rule& rule) {
  std::string text = concat(
      {markdown_text(rule.why), "\n\n**Fix:** ", rule.manual.empty() ? "not known" : markdown_text(rule.manual), "\n"});
  if (!rule.fix.action.empty())
    text += concat({"\n`gpuharden apply --check ", rule.id, "` (risk: ", markdown_text(rule.fix.risk), ")\n"});
  for (const auto& reference : rule.references) text += concat({"\n- <", reference, ">"});
  return text;
}

SarifJson taxon(std::string_view id, std::string_view name, std::string_view url) {
  SarifJson out = {{"id", replace_invalid_utf8(id)}};
  if (!name.empty()) {
    out["name"] = replace_invalid_utf8(name);
    out["shortDescription"] = {{"text", replace_invalid_utf8(name)}};
  }
  out["helpUri"] = url;
  return out;
}

std::string attack_url(std::string_view id) {
  std::string path = replace_invalid_utf8(id);
  std::replace(path.begin(), path.end(), '.', '/');
  return "https://attack.mitre.org/techniques/" + path + "/";
}

SarifJson taxonomy(std::string_view name, std::string_view version, std::string_view uri, SarifJson taxa) {
  return {{"name", name},
          {"version", version},
          {"organization", "The MITRE Corporation"},
          {"shortDescription", {{"text", concat({name, ", the techniques that the rules name"})}}},
          {"informationUri", uri},
          {"isComprehensive", false},
          {"taxa", std::move(taxa)}};
}

}  // namespace

std::string_view sarif_level(Severity severity) {
  if (severity >= Severity::kHigh) return "error";
  return severity == Severity::kMedium ? "warning" : "note";
}

SarifJson sarif_rule(const RuleFinding& finding, const SarifLimits& limits, SarifCuts& cuts) {
  const Rule& rule = finding.rule;
  SarifJson out = {
      {"id", rule.id},
      {"shortDescription",
       {{"text", text_within(rule.title.empty() ? rule.id : rule.title, limits.description, cuts)}}},
      {"fullDescription", {{"text", text_within(rule.why.empty() ? rule.id : rule.why, limits.description, cuts)}}},
      {"help",
       {{"text", text_within(help_text(rule), limits.message, cuts)},
        {"markdown", text_within(help_markdown(rule), limits.message, cuts)}}},
      {"defaultConfiguration", {{"level", sarif_level(rule.severity)}}}};
  if (auto relationships = relationships_of(finding); !relationships.empty())
    out["relationships"] = std::move(relationships);
  out["properties"] = {{"tags", tags_of(finding, limits, cuts)},
                       {"security-severity", security_severity(rule.severity)},
                       {"precision", rule.maturity == Maturity::kStable ? "very-high" : "high"},
                       {"problem.severity", problem_severity(rule.severity)},
                       {"severity", to_string(rule.severity)},
                       {"maturity", to_string(rule.maturity)}};
  return out;
}

SarifJson sarif_taxonomies(const std::vector<const RuleFinding*>& rules) {
  std::map<std::string, std::string> attack;
  std::set<std::string> atlas;
  for (const auto* finding : rules) {
    for (const auto& reference : finding->attack) attack[reference.id] = reference.name;
    atlas.insert(finding->rule.atlas.begin(), finding->rule.atlas.end());
  }
  SarifJson out = SarifJson::array();
  SarifJson taxa = SarifJson::array();
  for (const auto& [id, name] : attack) taxa.push_back(taxon(id, name, attack_url(id)));
  if (!taxa.empty()) out.push_back(taxonomy(kAttack, kAttackVersion, "https://attack.mitre.org/", std::move(taxa)));
  taxa = SarifJson::array();
  for (const auto& id : atlas)
    taxa.push_back(taxon(id, "", concat({"https://atlas.mitre.org/techniques/", replace_invalid_utf8(id)})));
  if (!taxa.empty()) out.push_back(taxonomy(kAtlas, kAtlasVersion, "https://atlas.mitre.org/", std::move(taxa)));
  return out;
}

SarifJson sarif_driver(std::string_view tool_version) {
  SarifJson out = {{"name", "gpuharden"}, {"version", replace_invalid_utf8(tool_version)}};
  out["shortDescription"] = {{"text", "Security audit of Linux servers that compute on GPUs"}};
  return out;
}

SarifJson sarif_base_ids() {
  return {{"%SRCROOT%", {{"uri", "file:///"}, {"description", {{"text", "the root of the audited host"}}}}}};
}

std::vector<std::string> SarifCuts::sentences(const SarifLimits& limits) const {
  std::vector<std::string> out;
  const auto say = [&](std::size_t count, std::string_view what, std::size_t limit) {
    if (count == 0) return;
    out.push_back(concat({std::to_string(count), " ", what, " were left out of this file: code scanning takes ",
                          std::to_string(limit), "; the JSON report has them"}));
  };
  say(results, "of the least severe results", limits.results);
  say(rules, "rules", limits.rules);
  say(tags, "tags of rules", limits.tags);
  if (texts > 0)
    out.push_back(concat({std::to_string(texts),
                          " texts were cut to what code scanning takes; the JSON report has "
                          "them in full"}));
  return out;
}

}  // namespace gpuharden
