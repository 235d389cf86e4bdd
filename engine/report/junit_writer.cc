// SPDX-License-Identifier: GPL-2.0-or-later
// JUnit XML as Jenkins and GitLab read it: one suite an area, one test case a rule. What is not known is an error,
// since readers show only failures and errors; waived, not applicable and not evaluated are skipped.
#include <algorithm>
#include <map>

#include "engine/base/text.h"
#include "engine/report/items.h"
#include "engine/report/markup.h"
#include "engine/report/words.h"
#include "engine/report/writer.h"

namespace gpuharden {
namespace {

struct Suite {
  std::vector<const RuleFinding*> rules;
  std::size_t failures = 0, errors = 0, skipped = 0;
};

bool is_error(Outcome outcome) { return outcome == Outcome::kError || outcome == Outcome::kUnknown; }
bool is_skipped(Outcome outcome) {
  return outcome == Outcome::kWaived || outcome == Outcome::kNotApplicable || outcome == Outcome::kNotEvaluated;
}

std::map<std::string, Suite> suites_of(const Report& report) {
  std::map<std::string, Suite> suites;
  for (const auto& finding : report.rules) {
    Suite& suite = suites[finding.rule.id.substr(0, finding.rule.id.find('.'))];
    suite.rules.push_back(&finding);
    suite.failures += finding.outcome == Outcome::kFail ? 1 : 0;
    suite.errors += is_error(finding.outcome) ? 1 : 0;
    suite.skipped += is_skipped(finding.outcome) ? 1 : 0;
  }
  return suites;
}

std::string attribute(std::string_view name, std::string_view value) {
  return concat({" ", name, "=\"", escape_markup(value), "\""});
}

std::string place_of(const ReportItem& item) {
  if (item.row == nullptr || item.row->file.empty()) return {};
  return item.row->line > 0 ? concat({item.row->file, ":", std::to_string(item.row->line)}) : item.row->file;
}

// Everything that a rule found, one line a thing: "[next boot] /etc/x:4: message".
std::string body_of(const RuleFinding& finding) {
  std::string out;
  for (const auto& item : items_of(finding)) {
    const std::string place = place_of(item);
    out += escape_markup(concat({to_string(item.outcome), ": ",
                                 item.horizon->name == "now" ? "" : concat({"[", in_words(item.horizon->name), "] "}),
                                 place, place.empty() ? "" : ": ", item.message}));
    if (item.waiver != nullptr) out += escape_markup(concat({" (", waiver_sentence(*item.waiver), ")"}));
    if (item.row != nullptr && !item.row->detail.empty()) out += "\n  " + escape_markup(item.row->detail);
    if (item.row != nullptr) {
      for (const auto& cell : item.row->evidence)
        out += concat({"\n  ", escape_markup(cell.name), " = ", escape_markup(evidence_text(cell))});
    }
    out += "\n";
  }
  for (const auto& horizon : finding.horizons) {
    for (const auto& gap : horizon.gaps) out += concat({"not read: ", escape_markup(gap.sentence), "\n"});
  }
  out += concat({"why: ", escape_markup(finding.rule.why), "\nfix: ", escape_markup(finding.rule.manual), "\n"});
  return out;
}

// The sentence that a list of results shows.
std::string headline(const RuleFinding& finding) {
  for (const auto& item : items_of(finding)) {
    if (item.outcome == finding.outcome) return item.waiver ? waiver_sentence(*item.waiver) : item.message;
  }
  return finding.rule.title;
}

std::string result_element(const RuleFinding& finding) {
  if (finding.outcome == Outcome::kPass) return {};
  const std::string message = attribute("message", headline(finding));
  if (is_skipped(finding.outcome)) {
    const std::string said = attribute("message", concat({to_string(finding.outcome), ": ", headline(finding)}));
    if (finding.outcome != Outcome::kWaived) return concat({"      <skipped", said, "/>\n"});
    return concat({"      <skipped", said, ">", body_of(finding), "</skipped>\n"});
  }
  const std::string_view element = finding.outcome == Outcome::kFail ? "failure" : "error";
  const std::string type = finding.outcome == Outcome::kFail ? concat({to_string(finding.rule.severity)})
                                                             : std::string(to_string(finding.outcome));
  return concat({"      <", element, attribute("type", type), message, ">", body_of(finding), "</", element, ">\n"});
}

std::string test_case(const std::string& area, const RuleFinding& finding) {
  std::string out = concat({"    <testcase", attribute("name", finding.rule.id),
                            attribute("classname", "gpuharden." + area), " time=\"0\""});
  const std::string result = result_element(finding);
  out += result.empty() ? "/>\n" : concat({">\n", result, "    </testcase>\n"});
  return out;
}

std::string counts_of(std::size_t tests, std::size_t failures, std::size_t errors) {
  return concat({attribute("tests", std::to_string(tests)), attribute("failures", std::to_string(failures)),
                 attribute("errors", std::to_string(errors))});
}

// Seconds with three digits, whatever the locale.
std::string seconds(std::int64_t microseconds) {
  const auto milliseconds = std::max<std::int64_t>(microseconds, 0) / 1000;
  std::string fraction = std::to_string(milliseconds % 1000);
  fraction.insert(0, 3 - fraction.size(), '0');
  return concat({std::to_string(milliseconds / 1000), ".", fraction});
}

std::string warnings_of(const Report& report) {
  if (report.warnings.empty()) return {};
  std::string out = "    <system-out>";
  for (const auto& warning : report.warnings) out += escape_markup(warning) + "\n";
  return out + "</system-out>\n";
}

}  // namespace

std::string write_junit(const Report& report, const WriterOptions&) {
  const auto suites = suites_of(report);
  std::string timestamp = format_time(report.started);
  timestamp.pop_back();  // the format has no zone
  Suite all;
  std::string body;
  for (const auto& [area, suite] : suites) {
    all.failures += suite.failures;
    all.errors += suite.errors;
    body += concat({"  <testsuite", attribute("name", "gpuharden." + area),
                    counts_of(suite.rules.size(), suite.failures, suite.errors),
                    attribute("skipped", std::to_string(suite.skipped)), " time=\"0\"",
                    attribute("timestamp", timestamp), attribute("hostname", report.host.name), ">\n"});
    for (const auto* finding : suite.rules) body += test_case(area, *finding);
    // The run's own words have no place but beside the cases of a suite.
    if (area == suites.begin()->first) body += warnings_of(report);
    body += "  </testsuite>\n";
  }
  return concat({"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", attribute("name", "gpuharden"),
                 counts_of(report.rules.size(), all.failures, all.errors),
                 attribute("time", seconds(report.duration_us)), ">\n", body, "</testsuites>\n"});
}

}  // namespace gpuharden
