// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/audit.h"

#include <algorithm>

namespace gpuharden {
namespace {

constexpr std::string_view kSystemQuery = "SELECT coalesce(pretty_name, id) FROM os_release";

bool reads_deep_table(const PreparedRule& prepared) {
  const auto reads = prepared.reads();
  return std::any_of(reads.begin(), reads.end(),
                     [](const ColumnRead& read) { return find_probe(read.first)->schema.cost == TableCost::kDeep; });
}

bool is_deep(const std::string& table) {
  const Probe* probe = find_probe(table);
  return probe == nullptr || probe->schema.cost == TableCost::kDeep;
}

// What the selected statements read as far as their compiled form says: the readers begin with it
// while the statements are prepared, which then says for certain.
std::set<ColumnRead> compiled_reads(const Selection& selection, bool deep) {
  std::set<ColumnRead> reads = {{"os_release", "id"}, {"os_release", "pretty_name"}};
  for (const auto& rule : selection.rules) {
    std::set<ColumnRead> own;
    bool skip = false;
    for (const auto& query : rule.queries) {
      // One rule without it would make every table's columns a guess.
      if (query.reads.empty()) return {};
      own.insert(query.reads.begin(), query.reads.end());
      for (const auto& read : query.reads) skip = skip || (!deep && is_deep(read.first));
    }
    if (!skip) reads.insert(own.begin(), own.end());
  }
  return reads;
}

std::vector<AttackReference> attack_references(const Rule& rule, const TechniqueTable& table) {
  std::vector<AttackReference> references;
  for (const auto& id : rule.attack) {
    const auto found = table.find(id);
    references.push_back(found == table.end() ? AttackReference{id, "", {}}
                                              : AttackReference{id, found->second.name, found->second.tactics});
  }
  return references;
}

// Where the policy asks for the thing, its absence is a failure.
void require(RuleFinding& finding) {
  finding.required = true;
  if (finding.outcome != Outcome::kNotApplicable) return;
  finding.outcome = Outcome::kFail;
  for (auto& horizon : finding.horizons) {
    horizon.outcome = Outcome::kFail;
    horizon.reason = "required by the profile: " + horizon.reason;
  }
}

std::string first_text(Result<Statement>& statement) {
  if (!statement) return {};
  const auto row = statement->step();
  return row && *row ? std::string(statement->value(0).text) : std::string();
}

}  // namespace

void run_audit(const Selection& selection, const TechniqueTables& techniques, const AuditOptions& options,
               TableSource& source, Report& report) {
  Database database(source);
  database.expect(compiled_reads(selection, options.deep || selection.deep));
  std::vector<PreparedRule> prepared;
  auto system = database.prepare(kSystemQuery);
  std::set<ColumnRead> reads;
  if (system) reads = system->reads();
  for (const auto& rule : selection.rules) {
    PreparedRule candidate = prepare_rule(rule, database);
    if (reads_deep_table(candidate) && !options.deep && !selection.deep) {
      report.not_selected.push_back(rule.id);
      continue;
    }
    const auto own = candidate.reads();
    reads.insert(own.begin(), own.end());
    prepared.push_back(std::move(candidate));
  }
  database.expect(reads);
  for (auto& rule : prepared) {
    RuleFinding finding = evaluate_rule(rule);
    finding.attack = attack_references(finding.rule, techniques.attack);
    const bool required =
        std::find(selection.required.begin(), selection.required.end(), finding.rule.id) != selection.required.end();
    if (required) require(finding);
    report.rules.push_back(std::move(finding));
  }
  report.host.os = first_text(system);
  sort_findings(report.rules);
  report.gate = options.gate.severity;
  report.exit_code = exit_code(report.rules, options.gate);
}

}  // namespace gpuharden
