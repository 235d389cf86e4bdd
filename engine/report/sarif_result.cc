// SPDX-License-Identifier: GPL-2.0-or-later
// Findings as SARIF's results.
#include <algorithm>

#include "engine/base/text.h"
#include "engine/report/sarif.h"
#include "engine/report/uri.h"
#include "engine/report/words.h"

namespace gpuharden {
namespace {

// The state of a result; level is that of a fail only, else "none" (SARIF 3.27.10).
std::string_view kind_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kFail: return "fail";
    case Outcome::kPass: return "pass";
    case Outcome::kNotApplicable: return "notApplicable";
    case Outcome::kUnknown:
    case Outcome::kError:
    case Outcome::kNotEvaluated:
    case Outcome::kWaived: return "open";
  }
  return "open";
}

// What a waived finding would be without its waiver.
Outcome unwaived(const ReportItem& item) {
  if (item.outcome != Outcome::kWaived) return item.outcome;
  return item.waiver == nullptr ? Outcome::kFail : item.waiver->was;
}

// "gpuharden/ports/ollama" for a fact that is in no file: stable, and clear that there is no such file.
std::string pseudo_path(const Rule& rule) {
  std::string path = "gpuharden/" + rule.id;
  std::replace(path.begin(), path.end(), '.', '/');
  return relative_uri(path);
}

std::string uri_of(const ReportItem& item) {
  std::string uri = item.row == nullptr ? std::string() : relative_uri(item.row->file);
  // Device nodes and folders are what they are about.
  if (uri.empty() && item.row != nullptr && item.row->subject.starts_with('/')) uri = relative_uri(item.row->subject);
  return uri.empty() ? pseudo_path(item.rule->rule) : uri;
}

SarifJson location_of(const ReportItem& item, const SarifLimits& limits) {
  const bool has_line = item.row != nullptr && !item.row->file.empty() && item.row->line > 0;
  const std::int64_t line = has_line ? item.row->line : 1;
  SarifJson out = {{"physicalLocation",
                    {{"artifactLocation", {{"uri", uri_of(item)}, {"uriBaseId", "%SRCROOT%"}}},
                     {"region", {{"startLine", line}, {"startColumn", 1}, {"endLine", line}, {"endColumn", 2}}}}}};
  if (item.row == nullptr || item.row->subject.empty()) return out;
  const std::string subject = cut_text(item.row->subject, limits.description);
  out["logicalLocations"] = SarifJson::array({SarifJson{
      {"name", subject}, {"fullyQualifiedName", concat({item.rule->rule.id, "/", subject})}, {"kind", "resource"}}});
  return out;
}

// A link in a result's text would be a link of whoever chose the name of a file.
std::string without_links(std::string text) {
  for (auto at = text.find("]("); at != std::string::npos; at = text.find("](", at)) text.replace(at, 2, "] (");
  return text;
}

std::string message_of(const ReportItem& item, const SarifLimits& limits, SarifCuts& cuts) {
  std::string text = item.message.empty() ? item.rule->rule.title : item.message;
  if (item.outcome == Outcome::kNotEvaluated) text = "not evaluated here: " + text;
  if (item.outcome == Outcome::kError) text = "the check itself failed: " + text;
  if (item.outcome == Outcome::kUnknown) text = "not known: " + text;
  if (item.horizon->name != "now") text = concat({in_words(item.horizon->name), ": ", text});
  if (text.size() > limits.message) ++cuts.texts;
  text = without_links(cut_text(text, limits.message));
  return trim(text).empty() ? item.rule->rule.id : text;
}

SarifJson evidence_of(const ReportItem& item, const SarifLimits& limits, SarifCuts& cuts) {
  SarifJson out = SarifJson::object();
  for (const auto& cell : item.row->evidence) {
    auto& value = out[replace_invalid_utf8(cell.name)];
    if (cell.kind == ValueKind::kInteger) value = cell.integer;
    if (cell.kind == ValueKind::kText) value = cut_text(cell.text, limits.evidence);
    if (cell.kind == ValueKind::kText && cell.text.size() > limits.evidence) ++cuts.texts;
  }
  return out;
}

SarifJson properties_of(const ReportItem& item, const SarifLimits& limits, SarifCuts& cuts) {
  SarifJson out = {{"outcome", to_string(item.outcome)}, {"horizon", replace_invalid_utf8(item.horizon->name)}};
  if (item.count > 1) out["count"] = item.count;
  if (item.row != nullptr) {
    out["subject"] = cut_text(item.row->subject, limits.evidence);
    if (!item.row->detail.empty()) out["detail"] = cut_text(item.row->detail, limits.evidence);
    if (!item.row->evidence.empty()) out["evidence"] = evidence_of(item, limits, cuts);
  } else if (!item.horizon->gaps.empty()) {
    SarifJson gaps = SarifJson::array();
    constexpr std::size_t kGapsListed = 20;
    for (const auto& gap : item.horizon->gaps) {
      if (gaps.size() < kGapsListed) gaps.push_back(cut_text(gap.sentence, limits.description));
    }
    out["not_read"] = std::move(gaps);
  }
  if (!item.horizon->gaps.empty()) out["not_read_count"] = item.horizon->gaps.size();
  return out;
}

}  // namespace

SarifJson sarif_result(const ReportItem& item, std::size_t rule_index, std::size_t occurrence,
                       const SarifLimits& limits, SarifCuts& cuts) {
  const Outcome outcome = unwaived(item);
  const bool is_fail = outcome == Outcome::kFail;
  SarifJson out = {{"ruleId", item.rule->rule.id},
                   {"ruleIndex", rule_index},
                   {"kind", kind_of(outcome)},
                   {"level", is_fail ? sarif_level(item.rule->rule.severity) : "none"},
                   {"message", {{"text", message_of(item, limits, cuts)}}},
                   {"locations", SarifJson::array({location_of(item, limits)})}};
  // GitHub takes "<hash>:<occurrence>" by this name.
  out["partialFingerprints"] = {
      {"primaryLocationLineHash", concat({item.identity.substr(0, 16), ":", std::to_string(occurrence)})},
      {"gpuharden/v1", concat({item.identity, ":", std::to_string(occurrence)})}};
  if (item.waiver != nullptr) {
    out["suppressions"] =
        SarifJson::array({SarifJson{{"kind", "external"},
                                    {"status", "accepted"},
                                    {"justification", cut_text(waiver_sentence(*item.waiver), limits.message)}}});
  }
  if (item.baseline != BaselineState::kNone)
    out["baselineState"] = item.baseline == BaselineState::kNew ? "new" : "unchanged";
  out["properties"] = properties_of(item, limits, cuts);
  return out;
}

std::size_t sarif_cost(const ReportItem& item, const SarifLimits& limits) {
  constexpr std::size_t kOwnWords = 64;
  std::size_t bytes = kOwnWords + std::min(item.message.size(), limits.message);
  if (item.row == nullptr) return bytes;
  bytes += 3 * std::min(item.row->subject.size(), limits.evidence) + item.row->file.size();
  bytes += std::min(item.row->detail.size(), limits.evidence);
  for (const auto& cell : item.row->evidence) bytes += 8 + std::min(cell.text.size(), limits.evidence);
  return bytes;
}

}  // namespace gpuharden
