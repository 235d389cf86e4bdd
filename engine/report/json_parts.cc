// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/report/json_parts.h"

#include "engine/base/text.h"
#include "engine/report/words.h"

namespace gpuharden {
namespace {

// Keys stay in the order in which they are written here.
using Json = nlohmann::ordered_json;

std::string clean(std::string_view text) { return replace_invalid_utf8(text); }

Json list_of(const std::vector<std::string>& texts) {
  Json out = Json::array();
  for (const auto& text : texts) out.push_back(clean(text));
  return out;
}

Json evidence_of(const std::vector<Evidence>& evidence) {
  Json out = Json::object();
  for (const auto& cell : evidence) {
    if (cell.kind == ValueKind::kInteger) {
      out[clean(cell.name)] = cell.integer;
    } else if (cell.kind == ValueKind::kText) {
      out[clean(cell.name)] = clean(cell.text);
    } else {
      out[clean(cell.name)] = nullptr;
    }
  }
  return out;
}

Json attack_of(const std::vector<AttackReference>& references) {
  Json out = Json::array();
  for (const auto& reference : references) {
    out.push_back({{"id", reference.id}, {"name", reference.name}, {"tactics", list_of(reference.tactics)}});
  }
  return out;
}

}  // namespace

void add_states(Json& out, const std::optional<AppliedWaiver>& waiver, BaselineState baseline) {
  if (waiver) {
    out["waiver"] = {{"reason", clean(waiver->reason)},
                     {"owner", clean(waiver->owner)},
                     {"expires", clean(waiver->expires)},
                     {"was", to_string(waiver->was)}};
  }
  if (baseline != BaselineState::kNone) out["baseline"] = baseline == BaselineState::kNew ? "new" : "same";
}

Json host_json(const HostSummary& host) {
  return {{"name", clean(host.name)},     {"kind", clean(host.kind)},       {"os", clean(host.os)},
          {"kernel", clean(host.kernel)}, {"machine", clean(host.machine)}, {"boot_id", clean(host.boot_id)},
          {"gpus", list_of(host.gpus)},   {"privileged", host.privileged}};
}

Json row_json(const RowFinding& row) {
  Json out = {{"subject", clean(row.subject)}, {"outcome", to_string(row.outcome)}, {"message", clean(row.message)}};
  if (!row.detail.empty()) out["detail"] = clean(row.detail);
  if (!row.file.empty()) out["file"] = clean(row.file);
  if (row.line > 0) out["line"] = row.line;
  out["evidence"] = evidence_of(row.evidence);
  out["fingerprint"] = row.fingerprint;
  add_states(out, row.waiver, row.baseline);
  return out;
}

Json rule_json(const RuleFinding& finding) {
  const Rule& rule = finding.rule;
  Json fix = {{"automatic", !rule.fix.action.empty()}, {"manual", rule.manual}};
  if (!rule.fix.action.empty()) fix.update({{"action", rule.fix.action}, {"risk", rule.fix.risk}});
  return {{"id", rule.id},
          {"title", rule.title},
          {"severity", to_string(rule.severity)},
          {"maturity", to_string(rule.maturity)},
          {"outcome", to_string(finding.outcome)},
          {"required", finding.required},
          {"attack", attack_of(finding.attack)},
          {"atlas", list_of(rule.atlas)},
          {"controls", rule.controls},
          {"tags", list_of(rule.tags)},
          {"why", rule.why},
          {"references", list_of(rule.references)},
          {"fix", std::move(fix)}};
}

Json counts_json(const std::map<Outcome, std::int64_t>& counts) {
  Json out = Json::object();
  for (const auto& [outcome, count] : counts) out[std::string(to_string(outcome))] = count;
  return out;
}

std::string write_item(const ReportItem& item) {
  Json out = {{"horizon", clean(item.horizon->name)}, {"message", clean(item.message)}, {"count", item.count}};
  if (item.row != nullptr) {
    out["row"] = row_json(*item.row);
  } else if (item.waiver != nullptr) {
    add_states(out, *item.waiver, BaselineState::kNone);
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gpuharden
