// SPDX-License-Identifier: GPL-2.0-or-later
// Many hosts as one page: each finding once, with the hosts that have it.
#include <algorithm>

#include "engine/base/text.h"
#include "engine/report/fleet_writer.h"
#include "engine/report/html_parts.h"
#include "engine/report/words.h"

namespace gpuharden {
namespace {

constexpr std::size_t kHostsNamed = 200;       // of one finding
constexpr std::size_t kFindingsShown = 2'000;  // a browser must still open it

class FleetHtml {
 public:
  FleetHtml(const Fleet& fleet, const Sink& sink) : fleet_(fleet), sink_(sink) {}

  Status write() {
    GH_RETURN_IF_ERROR(fleet_.each_finding([&](const FleetFinding& finding) { count(finding); }));
    sink_(html_head(concat({"gpuharden: ", std::to_string(fleet_.hosts().size()), " hosts"})));
    header();
    std::vector<const RuleFinding*> rules;
    for (const auto& rule : fleet_.rules()) rules.push_back(&rule.finding);
    sink_(html_matrix(rules));
    // The other outcomes are those of rules and have no findings.
    sink_(html_horizons(horizons_, "findings", std::span(kOutcomesWorstFirst).first(4)));
    sink_("<h2>Findings</h2>\n");
    GH_RETURN_IF_ERROR(fleet_.each_finding([&](const FleetFinding& each) { finding(each); }));
    if (shown_ > kFindingsShown)
      sink_(concat({"<p>", std::to_string(shown_ - kFindingsShown), " more findings are in the merged JSON.</p>\n"}));
    hosts();
    sink_(html_foot(fleet_.hosts().front().tool_version));
    return {};
  }

 private:
  void count(const FleetFinding& finding) {
    ++horizons_[finding.horizon][finding.outcome];
    if (finding.outcome == Outcome::kFail) ++severities_[fleet_.rules()[finding.rule].finding.rule.severity];
  }

  void header() {
    std::map<int, std::int64_t> verdicts;
    for (const auto& host : fleet_.hosts()) ++verdicts[host.exit_code];
    sink_(concat({"<h1>", std::to_string(fleet_.hosts().size()), " hosts</h1>\n"}));
    for (const auto& warning : fleet_.warnings())
      sink_(concat({"<p class=\"message\">", html_text(warning), "</p>\n"}));
    std::vector<HtmlBar> severities;
    for (const auto severity : kSeveritiesWorstFirst)
      severities.push_back({std::string(to_string(severity)), std::string(to_string(severity)), severities_[severity]});
    sink_(concat({"<div class=\"pictures\">", html_bars("Different failing findings by severity", severities),
                  html_bars("Hosts by verdict", {{"something fails", "fail", verdicts[2]},
                                                 {"no verdict", "unknown", verdicts[1]},
                                                 {"good", "pass", verdicts[0]}}),
                  "</div>\n"}));
  }

  std::string host_list(const FleetFinding& finding) const {
    std::string out;
    for (auto group = finding.hosts.rbegin(); group != finding.hosts.rend(); ++group) {
      const auto& indices = group->second;
      out += concat({"<p class=\"message\">", html_badge(group->first), " on ", std::to_string(indices.size()),
                     indices.size() == 1 ? " host: " : " hosts: "});
      for (std::size_t i = 0; i < std::min(indices.size(), kHostsNamed); ++i)
        out += concat({i == 0 ? "" : ", ", html_text(fleet_.hosts()[indices[i]].host.name)});
      if (indices.size() > kHostsNamed) out += concat({" and ", std::to_string(indices.size() - kHostsNamed), " more"});
      out += "</p>";
    }
    return out;
  }

  void finding(const FleetFinding& each) {
    if (++shown_ > kFindingsShown) return;
    const RuleFinding& rule = fleet_.rules()[each.rule].finding;
    std::size_t hosts = 0;
    for (const auto& [outcome, indices] : each.hosts) hosts += indices.size();
    const std::string message =
        each.horizon == "now" ? each.message : concat({in_words(each.horizon), ": ", each.message});
    sink_(concat({"<details><summary>", html_badge(rule.rule.severity), " ", html_badge(each.outcome), " ",
                  std::to_string(hosts), hosts == 1 ? " host <h3>" : " hosts <h3>", html_text(cut_text(message, 300)),
                  "</h3> <code>", html_text(rule.rule.id), "</code></summary><div>\n"}));
    const std::string list = host_list(each);
    sink_(each.has_row ? html_row(each.row, message, list)
                       : concat({"<div class=\"row\"><p class=\"message\">", html_text(message), "</p>",
                                 html_waiver(each.waiver), list, "</div>\n"}));
    sink_(concat({"<p>", html_text(rule.rule.title), "</p>", html_advice(rule), "</div></details>\n"}));
  }

  void hosts() {
    sink_(
        "<h2>Hosts</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Hosts\"><table><thead><tr>"
        "<th scope=\"col\">host</th><th scope=\"col\">verdict</th>");
    for (const auto outcome : kOutcomesWorstFirst)
      sink_(concat({"<th scope=\"col\" class=\"number\">", in_words(to_string(outcome)), "</th>"}));
    sink_("<th scope=\"col\">system</th><th scope=\"col\">GPUs</th></tr></thead><tbody>\n");
    for (const auto& host : fleet_.hosts()) {
      sink_(concat({"<tr><th scope=\"row\">", html_text(host.host.name), "</th><td>",
                    host.exit_code == 0   ? html_badge("pass", "good")
                    : host.exit_code == 2 ? html_badge("fail", "fails")
                                          : html_badge("unknown", "no verdict"),
                    host.host.privileged ? "" : "<br>not run as root", "</td>"}));
      for (const auto outcome : kOutcomesWorstFirst)
        sink_(concat({"<td class=\"number\">", std::to_string(count_of(host.outcomes, outcome)), "</td>"}));
      sink_(concat(
          {"<td>", html_text(host.host.os), "</td><td>", html_text(join(host.host.gpus, ", ")), "</td></tr>\n"}));
    }
    sink_("</tbody></table></div>\n");
  }

  const Fleet& fleet_;
  const Sink& sink_;
  std::map<std::string, std::map<Outcome, std::int64_t>> horizons_;
  std::map<Severity, std::int64_t> severities_;
  std::size_t shown_ = 0;
};

}  // namespace

Status write_fleet_html(const Fleet& fleet, const Sink& sink) { return FleetHtml(fleet, sink).write(); }

}  // namespace gpuharden
