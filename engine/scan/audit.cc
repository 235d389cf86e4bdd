// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/audit.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <utility>

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

// A rule that waits for its tables.
struct Candidate {
  Rule rule;
  std::set<const Probe*> tables;
  std::set<const Probe*> missing;  // not arrived yet
  // It has tables with arguments, which are read when its statement asks: behind everything else.
  bool asks_on_the_way = false;
};

// What the rule's statements read, by the names of the schemas: its compiled form says it, without one SQLite.
std::set<ColumnRead> reads_of(const Rule& rule, Database& database) {
  std::set<ColumnRead> reads;
  for (const auto& query : rule.queries) {
    for (const auto& [table, column] : query.reads) {
      if (const Probe* probe = find_probe(table)) reads.insert(column_read(*probe, column));
    }
    if (!query.reads.empty()) continue;
    if (const auto statement = database.prepare(query.sql))
      reads.insert(statement->reads().begin(), statement->reads().end());
  }
  return reads;
}

Candidate make_candidate(Rule rule, const std::set<ColumnRead>& reads) {
  Candidate candidate{std::move(rule), {}, {}, false};
  for (const auto& [table, column] : reads) {
    const Probe* probe = find_probe(table);
    candidate.tables.insert(probe);
    if (needs_argument(probe->schema)) {
      candidate.asks_on_the_way = true;
    } else {
      candidate.missing.insert(probe);
    }
  }
  return candidate;
}

// The candidates in the order in which their tables arrive: rules are evaluated while the rest is still read.
class Queue {
 public:
  // `kept` are tables that are read once more at the end.
  Queue(std::vector<Candidate> candidates, const std::set<ColumnRead>& kept, Database& database)
      : candidates_(std::move(candidates)), database_(database) {
    for (std::size_t i = 0; i < candidates_.size(); ++i) waiting_.push_back(i);
    for (const auto& candidate : candidates_) count_readers(candidate.tables);
    for (const auto& [table, column] : kept) count_readers({find_probe(table)});
  }

  // The next that can be evaluated, or, when there is nothing more to wait for, the next at all. nullptr at the end.
  Candidate* take() {
    while (ready_.empty() && !waiting_.empty()) {
      const auto arrived = database_.wait();
      if (arrived.empty()) ready_ = std::exchange(waiting_, {});
      for (const Probe* probe : arrived) strike(probe);
      move_ready();
    }
    if (ready_.empty()) return nullptr;
    const auto next = ready_.front();
    ready_.pop_front();
    return &candidates_[next];
  }

  // A table that no other candidate reads is let go: the large ones are not held all at once.
  void done(const Candidate& candidate) {
    for (const Probe* probe : candidate.tables) {
      if (--readers_[probe] == 0) database_.forget(probe->schema.name);
    }
  }

 private:
  void count_readers(const std::set<const Probe*>& tables) {
    for (const Probe* probe : tables) ++readers_[probe];
  }
  void strike(const Probe* probe) {
    for (const auto i : waiting_) candidates_[i].missing.erase(probe);
  }
  void move_ready() {
    const auto is_ready = [this](std::size_t i) {
      return candidates_[i].missing.empty() && !candidates_[i].asks_on_the_way;
    };
    std::copy_if(waiting_.begin(), waiting_.end(), std::back_inserter(ready_), is_ready);
    std::erase_if(waiting_, is_ready);
  }

  std::vector<Candidate> candidates_;
  std::deque<std::size_t> waiting_, ready_;
  std::map<const Probe*, std::size_t> readers_;  // of candidates that are not done
  Database& database_;
};

// The compiled form only announced the tables; a statement that reads more than that gets its own.
RuleFinding evaluate(Rule rule, Database& database) {
  PreparedRule prepared = prepare_rule(std::move(rule), database);
  const auto reads = prepared.reads();
  if (!database.expects(reads)) database.expect(reads);
  return evaluate_rule(prepared);
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
  std::set<ColumnRead> of_host = system->reads();
  of_host.insert(gpus->reads().begin(), gpus->reads().end());
  std::set<ColumnRead> reads = of_host;
  std::vector<Candidate> candidates;
  for (auto& rule : selection.rules) {
    const auto own = reads_of(rule, database);
    if ((!deep && reads_deep_table(own)) || (!options.compute && lets_gpus_compute(own))) {
      report.not_selected.push_back(rule.id);
      continue;
    }
    reads.insert(own.begin(), own.end());
    candidates.push_back(make_candidate(std::move(rule), own));
  }
  database.expect(reads);
  Queue queue(std::move(candidates), of_host, database);
  while (Candidate* candidate = queue.take()) {
    RuleFinding finding = evaluate(std::move(candidate->rule), database);
    finding.attack = attack_references(finding.rule, techniques.attack);
    const auto& required = selection.required;
    if (std::find(required.begin(), required.end(), finding.rule.id) != required.end()) require(finding);
    report.rules.push_back(std::move(finding));
    queue.done(*candidate);
  }
  report.host.os = first_text(*system);
  report.host.gpus = all_texts(*gpus);
  sort_findings(report.rules);
  report.gate = options.gate.severity;
  report.exit_code = exit_code(report.rules, options.gate);
}

}  // namespace gpuharden
