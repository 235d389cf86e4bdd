// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/audit.h"

#include <algorithm>

namespace gpuharden {
namespace {

constexpr std::string_view kSystemQuery = "SELECT coalesce(pretty_name, id) FROM os_release";
// "8 x NVIDIA H200"; the display of a management controller is no GPU.
constexpr std::string_view kGpuQuery =
    "SELECT count(*) || ' x ' || coalesce(model, vendor || ' ' || vendor_id || ':' || coalesce(device_id, '?')) AS gpu "
    "FROM gpus WHERE vendor <> 'other' AND is_virtual_function = 0 "
    "GROUP BY coalesce(model, vendor || ' ' || vendor_id || ':' || coalesce(device_id, '?')) ORDER BY gpu";

bool reads_deep_table(const std::set<ColumnRead>& reads) {
  return std::any_of(reads.begin(), reads.end(), [](const ColumnRead& read) {
    const Probe* probe = find_probe(read.first);
    return probe == nullptr || probe->schema.cost == TableCost::kDeep;
  });
}

bool lets_gpus_compute(const std::set<ColumnRead>& reads) {
  return std::any_of(reads.begin(), reads.end(),
                     [](const ColumnRead& read) { return read.first == "gpu_devices" || read.first == "gpu_compute"; });
}

// What the selected statements read as far as their compiled form says: the readers begin with it
// while the statements are prepared, which then says for certain.
std::set<ColumnRead> compiled_reads(const Selection& selection, bool deep) {
  std::set<ColumnRead> reads;
  for (const auto& rule : selection.rules) {
    std::set<ColumnRead> own;
    for (const auto& query : rule.queries) {
      // One rule without it would make every table's columns a guess.
      if (query.reads.empty()) return {};
      own.insert(query.reads.begin(), query.reads.end());
    }
    if (deep || !reads_deep_table(own)) reads.insert(own.begin(), own.end());
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

std::string first_text(Statement& statement) {
  const auto row = statement.step();
  return row && *row ? std::string(statement.value(0).text) : std::string();
}

std::vector<std::string> all_texts(Statement& statement) {
  std::vector<std::string> texts;
  for (auto row = statement.step(); row && *row; row = statement.step()) texts.emplace_back(statement.value(0).text);
  return texts;
}

}  // namespace

void run_audit(Selection selection, const TechniqueTables& techniques, const AuditOptions& options, TableSource& source,
               Report& report) {
  const bool deep = options.deep || selection.deep;
  Database database(source);
  auto system = database.prepare(kSystemQuery);
  auto gpus = database.prepare(kGpuQuery);
  GH_CHECK(system.has_value() && gpus.has_value());
  std::set<ColumnRead> reads = system->reads();
  reads.insert(gpus->reads().begin(), gpus->reads().end());
  if (auto early = compiled_reads(selection, deep); !early.empty()) {
    early.insert(reads.begin(), reads.end());
    database.expect(early);
  }
  std::vector<PreparedRule> prepared;
  for (auto& rule : selection.rules) {
    PreparedRule candidate = prepare_rule(std::move(rule), database);
    const auto own = candidate.reads();
    if ((!deep && reads_deep_table(own)) || (!options.compute && lets_gpus_compute(own))) {
      report.not_selected.push_back(candidate.rule.id);
      continue;
    }
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
  report.host.os = first_text(*system);
  report.host.gpus = all_texts(*gpus);
  sort_findings(report.rules);
  report.gate = options.gate.severity;
  report.exit_code = exit_code(report.rules, options.gate);
}

}  // namespace gpuharden
