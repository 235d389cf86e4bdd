// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/evaluate.h"

#include <algorithm>
#include <cmath>

#include "engine/base/digest.h"
#include "engine/base/text.h"
#include "engine/scan/message.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxCellBytes = std::size_t{64} << 10U;

Evidence evidence_of(const std::string& name, const SqlValue& value) {
  Evidence evidence;
  evidence.name = name;
  switch (value.kind) {
    case SqlValue::Kind::kNull: break;
    case SqlValue::Kind::kInteger:
      evidence.kind = ValueKind::kInteger;
      evidence.integer = value.integer;
      break;
    case SqlValue::Kind::kReal:
      evidence.kind = ValueKind::kText;
      evidence.text = std::to_string(value.real);
      break;
    case SqlValue::Kind::kText:
      evidence.kind = ValueKind::kText;
      evidence.text = value.text.substr(0, kMaxCellBytes);
      if (value.text.size() > kMaxCellBytes)
        evidence.text += concat({" … (", std::to_string(value.text.size()), " bytes)"});
      break;
  }
  return evidence;
}

// ok must be 1, 0 or NULL, and every row says what it is about.
Outcome outcome_of(const SqlValue& ok, const SqlValue& subject, std::string& complaint) {
  if (subject.kind == SqlValue::Kind::kNull) {
    complaint = "the rule gave a row without subject";
    return Outcome::kError;
  }
  if (ok.kind == SqlValue::Kind::kNull) return Outcome::kUnknown;
  if (ok.kind == SqlValue::Kind::kInteger && ok.integer == 1) return Outcome::kPass;
  if (ok.kind == SqlValue::Kind::kInteger && ok.integer == 0) return Outcome::kFail;
  complaint = "the rule gave an ok that is neither 1, 0 nor NULL";
  return Outcome::kError;
}

std::size_t index_of(const std::vector<std::string>& columns, std::string_view name) {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
}

class HorizonRun {
 public:
  HorizonRun(const Rule& rule, const Query& query, Statement& statement) : rule_(rule), statement_(statement) {
    out_.name = query.horizon;
    subject_ = index_of(statement_.columns(), "subject");
    ok_ = index_of(statement_.columns(), "ok");
  }

  HorizonFinding run() {
    const auto& columns = statement_.columns();
    if (subject_ == columns.size() || ok_ == columns.size()) return error("the query gives no subject or no ok");
    for (const auto& param : rule_.params) statement_.bind(param.name, param.value);
    HorizonFacts facts;
    facts.empty = rule_.empty;
    facts.fails_by = rule_.fails_by;
    std::string cut_off;
    for (;;) {
      const auto row = statement_.step();
      if (!row) cut_off = row.error().message;
      if (!row || !*row) break;
      const Outcome outcome = take_row();
      facts.rows = facts.has_rows ? worse(facts.rows, outcome) : outcome;
      facts.has_rows = true;
    }
    const auto failures = statement_.failures();
    if (cut_off.empty() && !failures.empty()) cut_off = failures.front();
    facts.cut_off = !cut_off.empty();
    out_.cut_off = facts.cut_off;
    take_gaps(facts);
    out_.outcome = judge(facts);
    out_.reason = reason(facts, cut_off);
    return std::move(out_);
  }

 private:
  HorizonFinding error(std::string sentence) {
    out_.outcome = Outcome::kError;
    out_.reason = std::move(sentence);
    return std::move(out_);
  }

  Outcome take_row() {
    std::string complaint;
    const Outcome outcome = outcome_of(statement_.value(ok_), statement_.value(subject_), complaint);
    ++out_.counts[outcome];
    if (outcome == Outcome::kPass || out_.rows.size() >= Report::kMaxRows) return outcome;
    std::vector<Evidence> cells;
    for (std::size_t i = 0; i < statement_.columns().size(); ++i)
      cells.push_back(evidence_of(statement_.columns()[i], statement_.value(i)));
    out_.rows.push_back(make_row(outcome, std::move(complaint), std::move(cells)));
    return outcome;
  }

  RowFinding make_row(Outcome outcome, std::string complaint, std::vector<Evidence> cells) const {
    RowFinding row;
    row.outcome = outcome;
    row.message = complaint.empty() ? fill_message(rule_.message, cells) : std::move(complaint);
    std::string keys;
    for (auto& cell : cells) {
      if (std::find(rule_.key.begin(), rule_.key.end(), cell.name) != rule_.key.end())
        keys += concat({cell.name, "=", text_of(cell), "\n"});
      const bool is_null = cell.kind == ValueKind::kNull;
      if (cell.name == "subject") {
        row.subject = text_of(cell);
      } else if (cell.name == "detail") {
        row.detail = is_null ? "" : text_of(cell);
      } else if (cell.name == "file") {
        row.file = is_null ? "" : text_of(cell);
      } else if (cell.name == "line") {
        row.line = cell.integer;  // 0 unless it is a number
      } else if (cell.name != "ok") {
        row.evidence.push_back(std::move(cell));
      }
    }
    row.fingerprint = digest_of({rule_.id, row.subject, row.file, keys}).substr(0, 32);
    return row;
  }

  void take_gaps(HorizonFacts& facts) {
    const auto gaps = statement_.counting_gaps();
    facts.has_gaps = !gaps.empty();
    facts.only_not_held =
        std::all_of(gaps.begin(), gaps.end(), [](const Gap* gap) { return gap->cause == ErrorCode::kNotHeld; });
    for (std::size_t i = 0; i < std::min(gaps.size(), Report::kMaxRows); ++i) out_.gaps.push_back(*gaps[i]);
  }

  std::string reason(const HorizonFacts& facts, const std::string& cut_off) const {
    if (facts.cut_off) return cut_off;
    if (out_.outcome == Outcome::kNotApplicable) return rule_.none;
    if (facts.has_gaps && (out_.outcome == Outcome::kUnknown || out_.outcome == Outcome::kNotEvaluated))
      return out_.gaps.front().sentence;
    if (!facts.has_rows && out_.outcome == Outcome::kFail)
      return rule_.none.empty() ? "there is nothing of what the rule asks for" : rule_.none;
    return {};
  }

  const Rule& rule_;
  Statement& statement_;
  HorizonFinding out_;
  std::size_t subject_ = 0;
  std::size_t ok_ = 0;
};

HorizonFinding evaluate_query(const Rule& rule, const Query& query, Result<Statement>& statement) {
  if (statement) return HorizonRun(rule, query, *statement).run();
  HorizonFinding out;
  out.name = query.horizon;
  out.outcome = Outcome::kError;
  out.reason = statement.error().message;
  return out;
}

Outcome meaning(EmptyMeans empty) {
  switch (empty) {
    case EmptyMeans::kNotApplicable: return Outcome::kNotApplicable;
    case EmptyMeans::kFail: return Outcome::kFail;
    case EmptyMeans::kPass: return Outcome::kPass;
  }
  return Outcome::kError;
}

}  // namespace

Outcome judge(const HorizonFacts& facts) {
  Outcome outcome = facts.has_rows ? facts.rows : meaning(facts.empty);
  const bool fail_stands = outcome == Outcome::kFail && facts.has_rows && facts.fails_by == FailsBy::kPresence;
  if (fail_stands) return outcome;
  if (facts.has_gaps && outcome != Outcome::kError)
    outcome = facts.only_not_held ? Outcome::kNotEvaluated : Outcome::kUnknown;
  // Without the rest of the rows, what would have been the verdict is not known.
  return facts.cut_off ? Outcome::kError : outcome;
}

std::set<ColumnRead> PreparedRule::reads() const {
  std::set<ColumnRead> all;
  for (const auto& statement : statements) {
    if (statement) all.insert(statement->reads().begin(), statement->reads().end());
  }
  return all;
}

PreparedRule prepare_rule(Rule rule, Database& database) {
  PreparedRule prepared{std::move(rule), {}};
  for (const auto& query : prepared.rule.queries) prepared.statements.push_back(database.prepare(query.sql));
  return prepared;
}

RuleFinding evaluate_rule(PreparedRule& prepared) {
  RuleFinding finding;
  finding.rule = std::move(prepared.rule);
  finding.outcome = Outcome::kNotApplicable;
  for (std::size_t i = 0; i < prepared.statements.size(); ++i) {
    finding.horizons.push_back(evaluate_query(finding.rule, finding.rule.queries[i], prepared.statements[i]));
    finding.outcome = worse(finding.outcome, finding.horizons.back().outcome);
  }
  return finding;
}

int exit_code(const std::vector<RuleFinding>& findings, const Gate& gate) {
  bool evaluated = false;
  bool undecided = false;
  for (const auto& finding : findings) {
    evaluated = evaluated || finding.outcome != Outcome::kNotEvaluated;
    if (finding.rule.severity < gate.severity) continue;
    if (finding.outcome == Outcome::kFail) return 2;
    const bool unknown = finding.outcome == Outcome::kUnknown && !gate.allow_unknown;
    undecided = undecided || unknown || finding.outcome == Outcome::kError;
  }
  return !evaluated || undecided ? 1 : 0;
}

void sort_findings(std::vector<RuleFinding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const RuleFinding& a, const RuleFinding& b) {
    if (a.outcome != b.outcome) return a.outcome > b.outcome;
    if (a.rule.severity != b.rule.severity) return a.rule.severity > b.rule.severity;
    return a.rule.id < b.rule.id;
  });
}

}  // namespace gpuharden
