// SPDX-License-Identifier: GPL-2.0-or-later
// The formats that pipelines and spreadsheets read: every outcome is visible, and no text of the host becomes more
// than text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>

#include "engine/base/text.h"
#include "engine/cli/stored_fleet.h"
#include "engine/report/compare.h"
#include "engine/report/fleet_writer.h"
#include "engine/report/markup.h"
#include "engine/report/words.h"
#include "tests/report/sample.h"
#include "tests/support/capture.h"
#include "tests/support/program.h"
#include "tests/support/schema.h"

namespace gpuharden::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Json = nlohmann::json;

// Fields of RFC 4180, record by record.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> records(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& field = records.back().back();
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      field += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      records.back().emplace_back();
    } else if (c == '\r' && !quoted) {
      ++i;
      records.push_back({""});
    } else {
      field += c;
    }
  }
  records.pop_back();
  return records;
}

TEST(CsvWriter, HasOneRecordAFindingAndEveryOutcome) {
  const auto records = parse_csv(write_csv(sample_report(), {}));
  std::set<std::string> outcomes;
  for (const auto& record : records) {
    ASSERT_EQ(record.size(), records[0].size());
    outcomes.insert(record[4]);
  }
  for (const auto outcome : kOutcomesWorstFirst) EXPECT_TRUE(outcomes.contains(std::string(to_string(outcome))));
  EXPECT_EQ(records[1][1], "env.injection-variable");
  EXPECT_EQ(records[1][10], "4");
}

TEST(CsvWriter, NoCellIsAFormulaAndNoNameBreaksALine) {
  const std::string text = write_csv(hostile_report(), {});
  const auto records = parse_csv(text);
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), records.size());
  for (const auto& record : records) {
    for (const auto& field : record) {
      if (field.empty()) continue;
      EXPECT_THAT(field.substr(0, 1), testing::MatchesRegex("[^=+@|%\t\r-]")) << field.substr(0, 80);
      EXPECT_EQ(field.find_first_of(std::string("\x1b\x07\0\n\r", 5)), std::string::npos);
    }
  }
  EXPECT_THAT(text, HasSubstr("\"'=HYPERLINK(\"\"https://example.org\"\")\"")) << "kept, and kept from computing";
}

// Prometheus' text format, version 0.0.4.
TEST(PrometheusWriter, IsWellFormedAndHasNoTimeStamps) {
  static const std::regex sample(R"re([a-z_]+(\{([a-z_]+="([^"\\\n]|\\["\\n])*",?)+\})? -?[0-9]+(\.[0-9]+)?)re");
  static const std::regex comment("# (HELP [a-z_]+ .+|TYPE [a-z_]+ gauge)");
  for (const auto& report : {sample_report(), hostile_report()}) {
    const std::string text = write_prometheus(report, {});
    std::set<std::string> series;
    for (const auto line : split(std::string_view(text).substr(0, text.size() - 1), '\n')) {
      const std::string each(line);
      EXPECT_TRUE(std::regex_match(each, each[0] == '#' ? comment : sample)) << each;
      if (each[0] != '#') {
        EXPECT_TRUE(series.insert(each.substr(0, each.rfind(' '))).second) << "twice: " << each;
      }
    }
    EXPECT_TRUE(text.ends_with("\n"));
  }
}

TEST(PrometheusWriter, CountsEveryOutcomeAndTellsWhenItRan) {
  const std::string text = write_prometheus(sample_report(), {});
  for (const auto* line :
       {"gpuharden_rules{outcome=\"fail\"} 2\n", "gpuharden_rules{outcome=\"unknown\"} 1\n",
        "gpuharden_failed_rules{severity=\"critical\"} 1\n", "gpuharden_exit_code 2\n",
        "gpuharden_last_run_timestamp_seconds 1796000000\n", "gpuharden_run_duration_seconds 0.041300\n",
        "gpuharden_rule{rule=\"kernel.kexec\",severity=\"low\",outcome=\"waived\"} 1\n",
        "gpuharden_waiver_expires_timestamp_seconds{rule=\"kernel.kexec\",state=\"active\"} 1801440000\n"})
    EXPECT_THAT(text, HasSubstr(line));
}

TEST(NavigatorWriter, FollowsTheLayerFormat) {
  for (const auto& report : {sample_report(), hostile_report()}) {
    const Json layer = Json::parse(write_navigator(report, {}));
    EXPECT_EQ(violations(layer, "tests/data/schemas/navigator-layer-4.5.schema.json"), "");
    // Of those that can be decided: two fail, one passes, and three are not known, an error and waived.
    EXPECT_EQ(layer["techniques"][0]["score"], 16);
    EXPECT_THAT(layer["techniques"][0]["comment"].get<std::string>(), HasSubstr("not applicable: dkms.signing"));
  }
  Json bad = Json::parse(write_navigator(sample_report(), {}));
  bad["versions"]["layer"] = "4.4";
  EXPECT_NE(violations(bad, "tests/data/schemas/navigator-layer-4.5.schema.json"), "");
}

TEST(JUnitWriter, IsOfTheSchemaThatJenkinsUses) {
  if (!is_program("/usr/bin/xmllint")) GTEST_SKIP() << "no xmllint (package libxml2-utils)";
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/report.xml";
  const std::string schema = source_path("tests/data/schemas/junit-10.xsd");
  for (const auto& report : {sample_report(), hostile_report()}) {
    std::ofstream(file, std::ios::binary) << write_junit(report, {});
    const auto run = run_command({"/usr/bin/xmllint", "--noout", "--huge", "--schema", schema, file});
    EXPECT_EQ(run.exit_code, 0) << run.err;
  }
  std::ofstream(file) << "<testsuites><testsuite name='x'/></testsuites>";
  EXPECT_NE(run_command({"/usr/bin/xmllint", "--noout", "--schema", schema, file}).exit_code, 0);
}

TEST(JUnitWriter, OnlyAPassLooksLikeOne) {
  const std::string text = write_junit(sample_report(), {});
  for (const auto* part :
       {"tests=\"8\" failures=\"2\" errors=\"2\"", "<failure type=\"critical\" message=\"CUDA_INJECTION64_PATH",
        "<error type=\"unknown\" message=\"/home/alice is on nfs4", "<error type=\"error\" message=\"reading table",
        "<skipped message=\"waived: accepted by alice until 2027-01-31: kdump",
        "<skipped message=\"not-applicable: No DKMS", "<skipped message=\"not-evaluated: ",
        "<testcase name=\"accounts.uid-zero\" classname=\"gpuharden.accounts\" time=\"0\"/>"})
    EXPECT_THAT(text, HasSubstr(part));
}

// A report of one rule, which has that outcome.
Report report_of(Outcome outcome) {
  Report report = sample_report();
  std::erase_if(report.rules, [&](const RuleFinding& finding) { return finding.outcome != outcome; });
  report.rules.erase(report.rules.begin() + 1, report.rules.end());
  report.waivers.clear();
  return report;
}

std::string fleet_of(Outcome outcome, Status (*write)(const Fleet&, const Sink&)) {
  auto fleet = StoredFleet::create();
  std::string out;
  if (!fleet || !fleet->add(report_of(outcome)) || !write(*fleet, [&](std::string_view bytes) { out += bytes; }))
    throw std::runtime_error("a fleet of one");
  return out;
}

std::string diff_of(Outcome outcome, std::string (*write)(const Report&, const Report&, const Comparison&)) {
  Report nothing = sample_report();
  nothing.rules.clear();
  const Report report = report_of(outcome);
  return write(nothing, report, compare(nothing, report));
}

std::string format_of(Outcome outcome, std::string_view name) {
  WriterOptions options;
  options.verbosity = 1;
  return find_report_format(name)->write(report_of(outcome), options);
}

// A document, the sign in it of an outcome (with %), and other signs where there are such.
struct Shown {
  std::string name;
  std::function<std::string(Outcome)> write;
  std::string sign;
  std::map<Outcome, std::string> signs = {};
  bool has_findings_only = false;  // no rules that pass, do not apply or are not evaluated

  std::string sign_of(Outcome outcome) const {
    if (const auto found = signs.find(outcome); found != signs.end()) return found->second;
    std::string text = sign;
    return text.replace(text.find('%'), 1, to_string(outcome));
  }
};

std::vector<Shown> documents() {
  const auto format = [](std::string_view name) {
    return [name](Outcome outcome) { return format_of(outcome, name); };
  };
  const auto fleet = [](auto* write) { return [write](Outcome outcome) { return fleet_of(outcome, write); }; };
  const auto diff = [](auto* write) { return [write](Outcome outcome) { return diff_of(outcome, write); }; };
  using enum Outcome;
  return {{"text",
           format("text"),
           "\n%",
           {{kFail, "\nCRITICAL "},
            {kError, "\nERROR "},
            {kUnknown, "\nUNKNOWN "},
            {kWaived, "\nWAIVED "},
            {kNotEvaluated, "\nNOT EVALUATED "},
            {kPass, "\nPASS "},
            {kNotApplicable, "\nNOT APPLICABLE "}}},
          {"json", format("json"), "\"outcome\": \"%\",\n      \"required\""},
          {"sarif", format("sarif"), "\"outcome\": \"%\""},
          {"junit",
           format("junit"),
           "<skipped message=\"%: ",
           {{kFail, "<failure "},
            {kError, "<error type=\"error\""},
            {kUnknown, "<error type=\"unknown\""},
            {kPass, "time=\"0\"/>"}}},
          {"html",
           format("html"),
           "badge %\">",
           {{kFail, "badge fail\">fail<"}, {kPass, "badge pass\">pass<"}, {kUnknown, "badge unknown\">unknown<"}}},
          {"csv", format("csv"), ",%,now,"},
          {"navigator",
           format("navigator"),
           "\"name\": \"%\"",
           {{kNotApplicable, "\"name\": \"not applicable\""}, {kNotEvaluated, "\"name\": \"not evaluated\""}}},
          {"prometheus", format("prometheus"), ",outcome=\"%\"} 1\n"},
          {"merged json", fleet(&write_fleet_json), "\"hosts\":{\"%\":1}"},
          {"merged html",
           fleet(&write_fleet_html),
           "<br>1 %</li>",
           {{kNotApplicable, "<br>1 not applicable</li>"}, {kNotEvaluated, "<br>1 not evaluated</li>"}}},
          {"merged sarif", fleet(&write_fleet_sarif), "\"outcome\":\"%\"", {}, true},
          {"diff text", diff(&write_diff_text), "none -> %\n", {}, true},
          {"diff json", diff(&write_diff_json), "\"after\": \"%\"", {}, true}};
}

TEST(EveryDocument, ShowsEveryOutcomeThatItCanHold) {
  const auto all = documents();
  EXPECT_EQ(all.size(), report_formats().size() + fleet_formats().size() + 2) << "a format without its signs";
  for (const auto& document : all) {
    for (const auto outcome : kOutcomesWorstFirst) {
      const bool can_hold = !document.has_findings_only || outcome >= Outcome::kWaived;
      const std::string text = document.write(outcome);
      for (const auto other : kOutcomesWorstFirst) {
        EXPECT_EQ(text.find(document.sign_of(other)) != std::string::npos, can_hold && other == outcome)
            << document.name << ": the sign of " << to_string(other) << " where there is " << to_string(outcome);
      }
    }
  }
}

// What a rule could not judge besides what fails is seen wherever the fail is.
TEST(EveryFormat, ShowsAnUnknownBesideAFail) {
  Report report = report_of(Outcome::kFail);
  RowFinding blind = report.rules[0].horizons[0].rows[0];
  blind.outcome = Outcome::kUnknown;
  blind.message = "Q7Z";
  report.rules[0].horizons[0].rows.push_back(blind);
  report.rules[0].horizons[0].counts[Outcome::kUnknown] = 1;
  for (const auto* name : {"text", "json", "sarif", "junit", "html", "csv"})
    EXPECT_THAT(find_report_format(name)->write(report, {}), HasSubstr("Q7Z")) << name;
}

constexpr const char* kPromtool = "/usr/bin/promtool";

TEST(PrometheusWriter, IsAcceptedByPromtool) {
  if (!is_program(kPromtool)) GTEST_SKIP() << "no promtool (package prometheus)";
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/gpuharden.prom";
  const auto check = [&] { return run_command({"/bin/sh", "-c", concat({kPromtool, " check metrics <", file})}); };
  for (const auto& report : {sample_report(), hostile_report()}) {
    std::ofstream(file, std::ios::binary) << write_prometheus(report, {});
    const auto run = check();
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_EQ(run.err, "") << "the linter has nothing to say either";
  }
  std::ofstream(file) << "gpuharden_rules{outcome=fail} 1\n";
  EXPECT_NE(check().exit_code, 0);
}

// The module that most scripts read CSV with.
TEST(CsvWriter, IsReadByPython) {
  constexpr const char* kPython = "/usr/bin/python3";
  if (!is_program(kPython)) GTEST_SKIP() << "no python3";
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/report.csv";
  const Report report = hostile_report();
  std::ofstream(file, std::ios::binary) << write_csv(report, {});
  const auto run =
      run_command({kPython, "-c",
                   "import csv, sys\n"
                   "csv.field_size_limit(1 << 24)\n"
                   "rows = list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8'), strict=True))\n"
                   "print(len(rows), len({len(row) for row in rows}), rows[0][1])",
                   file});
  const auto records = parse_csv(write_csv(report, {})).size();
  EXPECT_EQ(run.out, concat({std::to_string(records), " 1 rule\n"})) << run.err;
}

TEST(Markup, KeepsXmlWellFormed) {
  using namespace std::string_literals;
  EXPECT_EQ(escape_markup("<a href=\"x\" b='y'>&"), "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;");
  EXPECT_EQ(escape_markup("a\0b\x1b[0m\n"s), "a\\x00b\\x1b[0m\\x0a");
  EXPECT_EQ(escape_markup("\xEF\xBF\xBE\xEF\xBF\xBF\xff"), "\\uFFFE\\uFFFF\\xff");
  EXPECT_EQ(escape_markup("]]>"), "]]&gt;");
}

TEST(CutText, KeepsWholeCharactersAndSaysHowMuchThereWas) {
  EXPECT_EQ(cut_text("abc", 3), "abc");
  EXPECT_EQ(cut_text(std::string(100, 'x'), 40), std::string(25, 'x') + "… (100 bytes)");
  const std::string cut = cut_text(std::string(99, 'x') + "\xc3\xa9" + std::string(500, 'y'), 116);
  EXPECT_EQ(replace_invalid_utf8(cut), cut);
  EXPECT_LE(cut.size(), 116U);
  EXPECT_LE(cut_text(std::string(1 << 20, '\xff'), 64).size(), 64U);
}

TEST(Times, ComeBackAsTheyWere) {
  EXPECT_EQ(parse_time(format_time(1'796'000'000)), 1'796'000'000);
  for (const auto* bad : {"", "2026-11-30", "2026-11-30T25:00:00Z", "2026-13-30T01:00:00Z", "2026-11-30T01:00:00+"})
    EXPECT_FALSE(parse_time(bad)) << bad;
}

}  // namespace
}  // namespace gpuharden::test
