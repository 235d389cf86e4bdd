// SPDX-License-Identifier: GPL-2.0-or-later
// SARIF 2.1.0, as GitHub code scanning takes it: what the schema does not ask and the upload does.
#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/report/sarif.h"
#include "engine/report/uri.h"
#include "engine/report/words.h"

namespace gpuharden {
namespace {

class SarifWriter {
 public:
  SarifWriter(const Report& report, const WriterOptions& options) : report_(report), options_(options) {}

  std::string write() {
    collect();
    SarifJson run = {{"tool", {{"driver", driver()}}}};
    if (auto taxonomies = sarif_taxonomies(rules_); !taxonomies.empty()) run["taxonomies"] = std::move(taxonomies);
    SarifJson results = result_list();
    run["invocations"] = SarifJson::array({invocation()});
    run["automationDetails"] = {{"id", automation_id()}};
    run["originalUriBaseIds"] = sarif_base_ids();
    run["columnKind"] = "utf16CodeUnits";
    run["results"] = std::move(results);
    run["properties"] = properties();
    const SarifJson log = {
        {"$schema", kSarifSchema}, {"version", "2.1.0"}, {"runs", SarifJson::array({std::move(run)})}};
    return log.dump(1, ' ', false, SarifJson::error_handler_t::replace) + "\n";
  }

 private:
  // Rules by their place in `rules_`, and the items that fit: worst first, as the report has them.
  void collect() {
    for (const auto& finding : report_.rules) {
      if (rules_.size() >= limits_.rules) {
        ++cuts_.rules;
        continue;
      }
      rules_.push_back(&finding);
      collect_items(finding);
    }
  }

  // What does not fit is one result a rule, for which there is always room.
  void collect_items(const RuleFinding& finding) {
    const std::size_t room = limits_.results - std::min(limits_.results, report_.rules.size());
    std::int64_t left_out = 0;
    for (auto& item : items_of(finding)) {
      if (options_.omit.contains(item.outcome)) continue;
      const auto cost = sarif_cost(item, limits_);
      if (items_.size() >= room || bytes_ + cost > limits_.bytes) {
        left_out += item.count;
        continue;
      }
      bytes_ += cost;
      items_.emplace_back(rules_.size() - 1, std::move(item));
    }
    if (left_out == 0) return;
    cuts_.results += static_cast<std::size_t>(left_out);
    items_.emplace_back(rules_.size() - 1, remainder_item(finding, left_out));
  }

  SarifJson driver() {
    SarifJson out = sarif_driver(report_.tool_version);
    SarifJson rules = SarifJson::array();
    for (const auto* finding : rules_) rules.push_back(sarif_rule(*finding, limits_, cuts_));
    out["rules"] = std::move(rules);
    return out;
  }

  SarifJson result_list() {
    SarifJson out = SarifJson::array();
    std::map<std::string, std::size_t> seen;
    for (const auto& [rule, item] : items_)
      out.push_back(sarif_result(item, rule, ++seen[item.identity], limits_, cuts_));
    return out;
  }

  static SarifJson notification(std::string_view level, std::string_view text) {
    return {{"level", level}, {"message", {{"text", cut_text(text, SarifLimits{}.message)}}}};
  }

  // What the tool could not do is told here: it is nobody's finding.
  SarifJson notifications() {
    SarifJson out = SarifJson::array();
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      for (const auto& horizon : rules_[i]->horizons) {
        if (horizon.outcome != Outcome::kError) continue;
        SarifJson error = notification("error", concat({rules_[i]->rule.id, ": ", horizon.reason}));
        error["associatedRule"] = {{"id", rules_[i]->rule.id}, {"index", i}};
        out.push_back(std::move(error));
      }
    }
    for (const auto& warning : report_.warnings) out.push_back(notification("warning", warning));
    for (const auto& sentence : cuts_.sentences(limits_)) out.push_back(notification("warning", sentence));
    return out;
  }

  SarifJson invocation() {
    const bool has_verdict = report_.exit_code == 0 || report_.exit_code == 2;
    return {{"executionSuccessful", has_verdict},
            {"exitCode", report_.exit_code},
            {"startTimeUtc", format_time(report_.started)},
            {"endTimeUtc", format_time(report_.started + (report_.duration_us + 999'999) / 1'000'000)},
            {"machine", cut_text(report_.host.name, limits_.description)},
            {"toolExecutionNotifications", notifications()}};
  }

  // The category of an upload is all before the last slash: one for each profile and host.
  std::string automation_id() const {
    const std::string host = uri_segment(report_.host.name);
    const std::string profile = uri_segment(report_.profile);
    return concat({"gpuharden/", profile.empty() ? "-" : profile, "/", host.empty() ? "-" : host, "/"});
  }

  SarifJson properties() const {
    SarifJson outcomes = SarifJson::object();
    const auto counts = totals(report_);
    for (const auto outcome : kOutcomesWorstFirst)
      outcomes[std::string(to_string(outcome))] = count_of(counts, outcome);
    return {{"host_kind", replace_invalid_utf8(report_.host.kind)},
            {"profile", replace_invalid_utf8(report_.profile)},
            {"gate", to_string(report_.gate)},
            {"rules_digest", replace_invalid_utf8(report_.rules_digest)},
            {"rules_by_outcome", std::move(outcomes)}};
  }

  const Report& report_;
  const WriterOptions& options_;
  const SarifLimits limits_;
  SarifCuts cuts_;
  std::size_t bytes_ = 0;
  std::vector<const RuleFinding*> rules_;
  std::vector<std::pair<std::size_t, ReportItem>> items_;
};

}  // namespace

std::string write_sarif(const Report& report, const WriterOptions& options) {
  return SarifWriter(report, options).write();
}

}  // namespace gpuharden
