// SPDX-License-Identifier: GPL-2.0-or-later
// Metrics for node_exporter's textfile collector. It refuses files with time stamps and serves stale ones for ever,
// so the time of the run is a metric of its own.
#include <algorithm>

#include "engine/base/date.h"
#include "engine/base/text.h"
#include "engine/report/words.h"
#include "engine/report/writer.h"

namespace gpuharden {
namespace {

std::string label_value(std::string_view text) {
  std::string out;
  for (const char c : escape_for_terminal(text)) {
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return out;
}

class MetricsWriter {
 public:
  explicit MetricsWriter(const Report& report) : report_(report) {}

  std::string write() {
    run();
    counts();
    rules();
    waivers();
    return std::move(out_);
  }

 private:
  using Labels = std::vector<std::pair<std::string_view, std::string>>;

  void family(std::string_view name, std::string_view help) {
    out_ += concat({"# HELP gpuharden_", name, " ", help, "\n# TYPE gpuharden_", name, " gauge\n"});
  }

  void sample(std::string_view name, const Labels& labels, std::string_view value) {
    std::string list;
    for (const auto& [label, text] : labels)
      list += concat({list.empty() ? "{" : ",", label, "=\"", label_value(text), "\""});
    out_ += concat({"gpuharden_", name, list, list.empty() ? " " : "} ", value, "\n"});
  }

  void run() {
    family("info", "The program and what it was asked; always 1.");
    sample("info",
           {{"version", report_.tool_version},
            {"profile", report_.profile},
            {"gate", std::string(to_string(report_.gate))},
            {"rules_digest", report_.rules_digest.substr(0, 12)},
            {"host_kind", report_.host.kind}},
           "1");
    family("last_run_timestamp_seconds", "When the audit began.");
    sample("last_run_timestamp_seconds", {}, std::to_string(report_.started));
    family("run_duration_seconds", "How long it took.");
    std::string micro = std::to_string(std::max<std::int64_t>(report_.duration_us, 0) % 1'000'000);
    micro.insert(0, 6 - micro.size(), '0');
    sample("run_duration_seconds", {},
           concat({std::to_string(std::max<std::int64_t>(report_.duration_us, 0) / 1'000'000), ".", micro}));
    family("exit_code", "Its verdict: 0 good, 2 something fails at or over the gate, 1 no verdict.");
    sample("exit_code", {}, std::to_string(report_.exit_code));
  }

  void counts() {
    const auto by_outcome = totals(report_);
    family("rules", "Rules by outcome.");
    for (const auto outcome : kOutcomesWorstFirst)
      sample("rules", {{"outcome", std::string(to_string(outcome))}}, std::to_string(count_of(by_outcome, outcome)));
    family("failed_rules", "Failing rules by severity.");
    const auto by_severity = failed_by_severity(report_);
    for (const auto severity : kSeveritiesWorstFirst)
      sample("failed_rules", {{"severity", std::string(to_string(severity))}},
             std::to_string(by_severity.at(severity)));
    family("warnings", "What the run says of itself; the other reports have the sentences.");
    sample("warnings", {}, std::to_string(report_.warnings.size()));
    family("not_selected_rules", "Rules that need --deep and were not asked for.");
    sample("not_selected_rules", {}, std::to_string(report_.not_selected.size()));
  }

  void rules() {
    if (report_.rules.empty()) return;
    family("rule", "Each rule with its outcome; always 1.");
    for (const auto& finding : report_.rules) {
      sample("rule",
             {{"rule", finding.rule.id},
              {"severity", std::string(to_string(finding.rule.severity))},
              {"outcome", std::string(to_string(finding.outcome))}},
             "1");
    }
  }

  // Several waivers of one rule and state are one series: the number of them, and the first day that ends.
  void waivers() {
    std::map<std::pair<std::string, std::string>, std::vector<std::int64_t>> days;
    for (const auto& use : report_.waivers)
      days[{use.waiver.rule, std::string(to_string(use.state))}].push_back(use.waiver.expires);
    if (days.empty()) return;
    family("waivers", "Waivers by rule and state.");
    for (const auto& [key, each] : days)
      sample("waivers", {{"rule", key.first}, {"state", key.second}}, std::to_string(each.size()));
    family("waiver_expires_timestamp_seconds", "When the first of them ends: the end of its last day, UTC.");
    for (const auto& [key, each] : days) {
      const auto first = *std::min_element(each.begin(), each.end());
      sample("waiver_expires_timestamp_seconds", {{"rule", key.first}, {"state", key.second}},
             std::to_string((first + 1) * kSecondsPerDay));
    }
  }

  const Report& report_;
  std::string out_;
};

}  // namespace

std::string write_prometheus(const Report& report, const WriterOptions&) { return MetricsWriter(report).write(); }

}  // namespace gpuharden
