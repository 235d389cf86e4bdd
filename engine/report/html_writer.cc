// SPDX-License-Identifier: GPL-2.0-or-later
// One host as one page: first a picture, then everything that was found, worst first.
#include <algorithm>

#include "engine/base/date.h"
#include "engine/base/text.h"
#include "engine/report/html_parts.h"
#include "engine/report/items.h"
#include "engine/report/words.h"
#include "engine/report/writer.h"

namespace gpuharden {
namespace {

constexpr std::size_t kRowsShown = 200;  // of one rule; a page of thousands helps nobody

class HtmlWriter {
 public:
  explicit HtmlWriter(const Report& report) : report_(report) {}

  std::string write() {
    out_ = html_head(concat({"gpuharden: ", report_.host.name}));
    header();
    pictures();
    std::vector<const RuleFinding*> rules;
    for (const auto& finding : report_.rules) rules.push_back(&finding);
    out_ += html_matrix(rules);
    horizons();
    findings();
    quiet();
    notes();
    out_ += html_foot(report_.tool_version);
    return std::move(out_);
  }

 private:
  void header() {
    const auto& host = report_.host;
    const std::string_view verdict = report_.exit_code == 0 ? "pass" : report_.exit_code == 2 ? "fail" : "unknown";
    const std::string_view words = report_.exit_code == 0   ? "nothing fails at or over the gate"
                                   : report_.exit_code == 2 ? "something fails at or over the gate"
                                                            : "no verdict";
    out_ +=
        concat({"<h1>", html_text(host.name), "</h1>\n<p>", html_badge(verdict, words), " <span class=\"muted\">gate ",
                to_string(report_.gate), ", exit ", std::to_string(report_.exit_code), "</span></p>\n<dl>"});
    for (const auto& [name, text] : {std::pair<std::string_view, std::string>{"system", host.os},
                                     {"kernel", host.kernel},
                                     {"GPUs", join(host.gpus, ", ")},
                                     {"profile", report_.profile},
                                     {"audited", concat({format_time(report_.started), " as ", host.kind})}}) {
      if (!text.empty()) out_ += concat({"<dt>", name, "</dt><dd>", html_text(text), "</dd>"});
    }
    out_ += "</dl>\n";
    if (!host.privileged) out_ += "<p>Not run as root: what other users own could not be read.</p>\n";
  }

  void pictures() {
    std::vector<HtmlBar> severities;
    for (const auto& [severity, count] : failed_by_severity(report_))
      severities.insert(severities.begin(),
                        {std::string(to_string(severity)), std::string(to_string(severity)), count});
    std::vector<HtmlBar> outcomes;
    const auto counts = totals(report_);
    for (const auto outcome : kOutcomesWorstFirst)
      outcomes.push_back({in_words(to_string(outcome)), std::string(to_string(outcome)), count_of(counts, outcome)});
    out_ += concat({"<div class=\"pictures\">", html_bars("Failing rules by severity", severities),
                    html_bars("Rules by outcome", outcomes), "</div>\n"});
  }

  void horizons() {
    std::map<std::string, std::map<Outcome, std::int64_t>> counts;
    for (const auto& finding : report_.rules) {
      for (const auto& horizon : finding.horizons) ++counts[horizon.name][horizon.outcome];
    }
    out_ += html_horizons(counts, "rules", kOutcomesWorstFirst);
  }

  void findings() {
    out_ += "<h2>Findings</h2>\n";
    bool any = false;
    for (const auto& finding : report_.rules) {
      if (finding.outcome < Outcome::kWaived) continue;
      any = true;
      rule(finding);
    }
    if (!any) out_ += "<p>None: nothing fails, and everything could be told.</p>\n";
  }

  void rule(const RuleFinding& finding) {
    const bool is_open = finding.outcome == Outcome::kFail && finding.rule.severity >= Severity::kHigh;
    out_ += concat({is_open ? "<details open>" : "<details>", "<summary>", html_badge(finding.rule.severity), " ",
                    finding.outcome == Outcome::kFail ? "" : html_badge(finding.outcome) + " ", "<h3>",
                    html_text(finding.rule.title), "</h3> <code>", html_text(finding.rule.id), "</code>"});
    out_ += "</summary><div>\n";
    if (finding.horizons.size() > 1) {
      out_ += "<p>";
      for (const auto& horizon : finding.horizons)
        out_ += concat({html_text(in_words(horizon.name)), " ", html_badge(horizon.outcome), " "});
      out_ += "</p>\n";
    }
    std::size_t shown = 0;
    for (const auto& item : items_of(finding)) {
      if (++shown <= kRowsShown) this->item(item, finding.horizons.size() > 1);
    }
    if (shown > kRowsShown)
      out_ += concat({"<p>", std::to_string(shown - kRowsShown), " more are in the JSON report.</p>\n"});
    for (const auto& horizon : finding.horizons) {
      if (horizon.outcome == Outcome::kFail && !horizon.gaps.empty()) gaps(horizon);
    }
    out_ += html_advice(finding) + "</div></details>\n";
  }

  void item(const ReportItem& item, bool names_horizon) {
    const std::string message =
        names_horizon ? concat({in_words(item.horizon->name), ": ", item.message}) : item.message;
    if (item.row != nullptr) {
      out_ += html_row(*item.row, message, baseline_word(item.baseline));
      return;
    }
    out_ +=
        concat({"<div class=\"row\">", html_badge(item.outcome), "<p class=\"message\">", html_text(message), "</p>"});
    if (item.waiver != nullptr)
      out_ += concat({"<p class=\"reason\">", html_text(waiver_sentence(*item.waiver)), "</p>"});
    if (!item.horizon->gaps.empty() && item.outcome != Outcome::kFail) gaps(*item.horizon);
    out_ += baseline_word(item.baseline) + "</div>\n";
  }

  void gaps(const HorizonFinding& horizon) {
    out_ += "<p>Not read:</p><ul>";
    std::size_t shown = 0;
    for (const auto& gap : horizon.gaps) {
      if (shown++ < kRowsShown) out_ += concat({"<li class=\"message\">", html_text(gap.sentence), "</li>"});
    }
    out_ += "</ul>";
  }

  static std::string baseline_word(BaselineState state) {
    if (state == BaselineState::kNone) return {};
    return state == BaselineState::kNew ? "<p>New since the baseline.</p>" : "<p class=\"muted\">In the baseline.</p>";
  }

  // What needs nobody: one line each.
  void quiet() {
    out_ +=
        "<h2>Everything else</h2>\n<details><summary>Rules that pass, do not apply or are not evaluated here"
        "</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Other rules\"><table><thead><tr>"
        "<th scope=\"col\">outcome</th><th scope=\"col\">rule</th><th scope=\"col\">what it "
        "asks</th></tr></thead><tbody>\n";
    for (const auto& finding : report_.rules) {
      if (finding.outcome >= Outcome::kWaived) continue;
      const auto& reason = finding.horizons.empty() ? std::string() : finding.horizons.front().reason;
      out_ += concat({"<tr><td>", html_badge(finding.outcome), "</td><td><code>", html_text(finding.rule.id),
                      "</code></td><td>", html_text(finding.rule.title), reason.empty() ? "" : "<br>",
                      html_text(reason), "</td></tr>\n"});
    }
    for (const auto& id : report_.not_selected)
      out_ +=
          concat({"<tr><td>not selected</td><td><code>", html_text(id), "</code></td><td>needs --deep</td></tr>\n"});
    out_ += "</tbody></table></div></details>\n";
  }

  void notes() {
    if (report_.warnings.empty() && report_.waivers.empty()) return;
    out_ += "<h2>Notes</h2>\n<ul>";
    for (const auto& warning : report_.warnings)
      out_ += concat({"<li class=\"message\">", html_text(warning), "</li>"});
    for (const auto& use : report_.waivers)
      out_ += concat({"<li class=\"message\">waiver of ", html_text(use.waiver.rule), " by ",
                      html_text(use.waiver.owner), " until ", format_date(use.waiver.expires), ": ",
                      to_string(use.state), ", ", std::to_string(use.matched), " findings</li>"});
    out_ += "</ul>\n";
  }

  const Report& report_;
  std::string out_;
};

}  // namespace

std::string write_html(const Report& report, const WriterOptions&) { return HtmlWriter(report).write(); }

}  // namespace gpuharden
