// SPDX-License-Identifier: GPL-2.0-or-later
// CSV as RFC 4180 has it, one line a finding. A spreadsheet must neither compute what a cell holds nor break a line.
#include <initializer_list>

#include "engine/base/text.h"
#include "engine/report/items.h"
#include "engine/report/words.h"
#include "engine/report/writer.h"

namespace gpuharden {
namespace {

// Control bytes and invalid UTF-8 are escaped as on a terminal, so a record is one line. What a spreadsheet would
// take for a formula starts with an apostrophe.
std::string cell(std::string_view text) {
  std::string safe = escape_for_terminal(text);
  const bool is_formula = !safe.empty() && std::string_view("=+-@|%").find(safe[0]) != std::string_view::npos;
  // Full-width forms of the same characters count for some of them.
  bool is_wide_formula = false;
  for (const std::string_view wide : {"\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"})
    is_wide_formula = is_wide_formula || safe.starts_with(wide);
  // The escape of a leading tab or carriage return is "\x09", which no program computes.
  if (is_formula || is_wide_formula) safe.insert(0, 1, '\'');
  if (safe.find_first_of(",\"") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

void add_record(std::string& out, std::initializer_list<std::string> texts) {
  bool is_first = true;
  for (const auto& text : texts) {
    if (!is_first) out += ',';
    is_first = false;
    out += text.empty() ? std::string() : cell(text);
  }
  out += "\r\n";
}

std::string attack_ids(const RuleFinding& finding) {
  std::vector<std::string> ids;
  for (const auto& reference : finding.attack) ids.push_back(reference.id);
  return join(ids, " ");
}

std::string evidence_list(const ReportItem& item) {
  std::vector<std::string> parts;
  if (item.row != nullptr) {
    for (const auto& each : item.row->evidence) parts.push_back(concat({each.name, "=", evidence_text(each)}));
  } else {
    for (const auto& gap : item.horizon->gaps) parts.push_back(gap.sentence);
  }
  return join(parts, "; ");
}

void add_item(std::string& out, const Report& report, const ReportItem& item) {
  const auto& rule = item.rule->rule;
  const RowFinding none;
  const RowFinding& row = item.row == nullptr ? none : *item.row;
  const std::string baseline = item.baseline == BaselineState::kNone  ? ""
                               : item.baseline == BaselineState::kNew ? "new"
                                                                      : "same";
  add_record(out, {report.host.name, rule.id, rule.title, std::string(to_string(rule.severity)),
                   std::string(to_string(item.outcome)), item.horizon->name, row.subject, item.message, row.detail,
                   row.file, row.line > 0 ? std::to_string(row.line) : "", attack_ids(*item.rule), evidence_list(item),
                   rule.manual, item.identity, std::to_string(item.count), baseline,
                   item.waiver == nullptr ? "" : waiver_sentence(*item.waiver)});
}

}  // namespace

std::string write_csv(const Report& report, const WriterOptions&) {
  std::string out;
  add_record(out, {"host", "rule", "title", "severity", "outcome", "horizon", "subject", "message", "detail", "file",
                   "line", "attack", "evidence", "fix", "fingerprint", "count", "baseline", "waiver"});
  for (const auto& finding : report.rules) {
    for (const auto& item : items_of(finding)) add_item(out, report, item);
  }
  return out;
}

}  // namespace gpuharden
