// SPDX-License-Identifier: GPL-2.0-or-later
// SARIF of many hosts: one run, and one result for each fingerprint with the hosts that have it.
#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/report/fleet_writer.h"
#include "engine/report/sarif.h"
#include "engine/report/words.h"

namespace gpuharden {
namespace {

constexpr std::size_t kHostsNamed = 1'000;  // in a result
constexpr std::size_t kHostsInMessage = 5;

std::string dump(const SarifJson& value) { return value.dump(-1, ' ', false, SarifJson::error_handler_t::replace); }

class FleetSarif {
 public:
  FleetSarif(const Fleet& fleet, const Sink& sink) : fleet_(fleet), sink_(sink) {}

  Status write() {
    head();
    sink_("\"results\": [\n");
    GH_RETURN_IF_ERROR(fleet_.each_finding([&](const FleetFinding& finding) { take(finding); }));
    sink_("\n],\n");
    tail();
    return {};
  }

 private:
  void head() {
    SarifJson driver = sarif_driver(fleet_.hosts().empty() ? "" : fleet_.hosts().front().tool_version);
    SarifJson rules = SarifJson::array();
    std::vector<const RuleFinding*> findings;
    for (const auto& rule : fleet_.rules()) {
      rules.push_back(sarif_rule(rule.finding, limits_, cuts_));
      findings.push_back(&rule.finding);
    }
    driver["rules"] = std::move(rules);
    sink_(concat({"{\"$schema\": \"", kSarifSchema, "\", \"version\": \"2.1.0\", \"runs\": [{\n\"tool\": ",
                  dump({{"driver", std::move(driver)}}), ",\n"}));
    if (const auto taxonomies = sarif_taxonomies(findings); !taxonomies.empty())
      sink_(concat({"\"taxonomies\": ", dump(taxonomies), ",\n"}));
    sink_(concat({"\"automationDetails\": {\"id\": \"gpuharden/fleet/\"},\n\"originalUriBaseIds\": ",
                  dump(sarif_base_ids()), ",\n\"columnKind\": \"utf16CodeUnits\",\n"}));
  }

  std::vector<std::string> names(const FleetFinding& finding) const {
    std::vector<std::string> out;
    for (auto group = finding.hosts.rbegin(); group != finding.hosts.rend(); ++group) {
      for (const auto index : group->second) {
        if (out.size() < kHostsNamed) out.push_back(cut_text(fleet_.hosts()[index].host.name, 256));
      }
    }
    return out;
  }

  static std::size_t host_count(const FleetFinding& finding) {
    std::size_t count = 0;
    for (const auto& [outcome, indices] : finding.hosts) count += indices.size();
    return count;
  }

  // The finding as an item of a report, which is what a result is made of.
  void take(const FleetFinding& finding) {
    HorizonFinding horizon;
    horizon.name = finding.horizon;
    horizon.outcome = finding.outcome;
    const auto hosts = names(finding);
    const std::size_t count = host_count(finding);
    ReportItem item;
    item.rule = &fleet_.rules()[finding.rule].finding;
    item.horizon = &horizon;
    item.row = finding.has_row ? &finding.row : nullptr;
    item.outcome = finding.outcome;
    item.identity = finding.identity;
    item.count = finding.count;
    const auto& waiver = finding.has_row ? finding.row.waiver : finding.waiver;
    item.waiver = waiver ? &*waiver : nullptr;
    std::vector<std::string> first(
        hosts.begin(), hosts.begin() + static_cast<std::ptrdiff_t>(std::min(hosts.size(), kHostsInMessage)));
    item.message = concat({std::to_string(count), count == 1 ? " host (" : " hosts (", join(first, ", "),
                           count > first.size() ? ", …): " : "): ", finding.message});
    std::size_t cost = sarif_cost(item, limits_);
    for (const auto& name : hosts) cost += name.size() / 4 + 4;  // the same names again and again compress well
    if (results_ >= limits_.results || bytes_ + cost > limits_.bytes) {
      ++cuts_.results;
      return;
    }
    bytes_ += cost;
    SarifJson result = sarif_result(item, finding.rule, 1, limits_, cuts_);
    result["properties"]["hosts"] = hosts;
    result["properties"]["host_count"] = count;
    sink_(concat({results_++ == 0 ? "" : ",\n", dump(result)}));
  }

  void tail() {
    SarifJson notifications = SarifJson::array();
    auto sentences = cuts_.sentences(limits_);
    sentences.insert(sentences.end(), fleet_.warnings().begin(), fleet_.warnings().end());
    for (const auto& sentence : sentences)
      notifications.push_back({{"level", "warning"}, {"message", {{"text", cut_text(sentence, limits_.message)}}}});
    const SarifJson invocation = {{"executionSuccessful", fleet_.warnings().empty()},
                                  {"toolExecutionNotifications", std::move(notifications)}};
    sink_(concat({"\"invocations\": [", dump(invocation),
                  "],\n\"properties\": {\"host_count\": ", std::to_string(fleet_.hosts().size()), "}\n}]}\n"}));
  }

  const Fleet& fleet_;
  const Sink& sink_;
  const SarifLimits limits_;
  SarifCuts cuts_;
  std::size_t results_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

Status write_fleet_sarif(const Fleet& fleet, const Sink& sink) { return FleetSarif(fleet, sink).write(); }

}  // namespace gpuharden
