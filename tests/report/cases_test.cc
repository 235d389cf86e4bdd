// SPDX-License-Identifier: GPL-2.0-or-later
// Files that pipelines have refused, and what makes ours one that they take: the table of docs/reports.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <locale>
#include <regex>

#include "engine/base/text.h"
#include "engine/report/uri.h"
#include "tests/report/sample.h"
#include "tests/report/sarif_checker.h"
#include "tests/support/capture.h"
#include "tests/support/program.h"
#include "tests/support/schema.h"

namespace gpuharden::test {
namespace {

using Json = nlohmann::json;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// What the ingestion rules have against tests/data/sarif/<file>.
std::vector<std::string> faults_of(const std::string& file) {
  return ingestion_faults(Json::parse(read_source("tests/data/sarif/" + file)));
}

// Why there are rules beyond the schema.
TEST(Cases, TheSchemaAcceptsEveryRefusedFile) {
  for (const auto* file :
       {"c130/bad.sarif", "c131/bad.sarif", "c133/bad.sarif", "c135/two-runs-same-category.sarif", "c136/bad.sarif"}) {
    const Json log = Json::parse(read_source(concat({"tests/data/sarif/", file})));
    EXPECT_EQ(violations(log, "tests/data/schemas/sarif-schema-2.1.0.json"), "") << file;
    EXPECT_THAT(ingestion_faults(log), Not(IsEmpty())) << file;
  }
}

TEST(Cases, C130EveryResultHasAPlace) {
  EXPECT_THAT(faults_of("c130/bad.sarif"), Contains(HasSubstr("locations are taken")));
  EXPECT_THAT(faults_of("c130/good.sarif"), Each(Not(HasSubstr("locations are taken"))));
  const Json log = sarif_of(sample_report());
  for (const auto& result : log["runs"][0]["results"]) {
    const Json place = result["locations"].at(0)["physicalLocation"];
    EXPECT_NE(place["artifactLocation"]["uri"], "");
    EXPECT_GE(place["region"]["startLine"], 1);
  }
  // What is in no file has a path that is the same in every run, and says what it is about.
  const Json running = result_of(log, "dkms.next-kernel")["locations"][0];
  EXPECT_EQ(running["physicalLocation"]["artifactLocation"]["uri"], "gpuharden/dkms/next-kernel");
  EXPECT_EQ(running["logicalLocations"][0]["name"], "6.8.0-63-generic");
  const Json real = result_of(log, "env.injection-variable")["locations"][0]["physicalLocation"];
  EXPECT_EQ(real["artifactLocation"]["uri"], "etc/systemd/system/vllm.service.d/10-tune.conf");
  EXPECT_EQ(real["region"]["startLine"], 4);
}

TEST(Cases, C131PathsAreRelativeReferences) {
  const auto faults = faults_of("c131/bad.sarif");
  const Json bad = Json::parse(read_source("tests/data/sarif/c131/bad.sarif"));
  const auto refused = std::count_if(faults.begin(), faults.end(), [](const std::string& fault) {
    return fault.find("is no relative reference") != std::string::npos;
  });
  EXPECT_EQ(static_cast<std::size_t>(refused), bad["runs"][0]["results"].size());
  std::vector<std::string> uris;
  const std::string paths = read_source("tests/data/sarif/c131/paths.txt");
  for (const auto path : split(paths, '\n')) uris.push_back(relative_uri(path));
  EXPECT_EQ(uris,
            (std::vector<std::string>{"etc/apt/sources.list.d/a%20b.list",
                                      "etc/systemd/system/getty@tty1.service.d/x.conf", "etc/profile.d/50%25off%231.sh",
                                      "home/j%C3%BCrgen/.bashrc", "etc/udev/rules.d/%5Bgpu%5D.rules", ""}));
  EXPECT_EQ(relative_uri("//a:b\\c?\n\xff"), "a%3Ab%5Cc%3F%0A%FF");
  EXPECT_EQ(relative_uri("///"), "");
  EXPECT_EQ(uri_segment("a/b"), "a%2Fb");
}

struct DecimalComma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST(Cases, C133SeverityIsANumberAsAStringWhateverTheLocale) {
  EXPECT_THAT(faults_of("c133/bad.sarif"), Contains(HasSubstr("security-severity")));
  EXPECT_THAT(faults_of("c133/good.sarif"), Each(Not(HasSubstr("security-severity"))));
  const auto before = std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed
  Report report = sample_report();
  for (const auto& [severity, number] : std::vector<std::pair<Severity, std::string>>{{Severity::kCritical, "9.5"},
                                                                                      {Severity::kHigh, "8.0"},
                                                                                      {Severity::kMedium, "5.5"},
                                                                                      {Severity::kLow, "2.5"},
                                                                                      {Severity::kInfo, "0.5"}}) {
    report.rules[0].rule.severity = severity;
    const Json log = sarif_of(report);
    EXPECT_EQ(log["runs"][0]["tool"]["driver"]["rules"][0]["properties"]["security-severity"], number);
  }
  EXPECT_THAT(write_prometheus(report, {}), HasSubstr("run_duration_seconds 0.041300\n"));
  EXPECT_THAT(write_junit(report, {}), HasSubstr("time=\"0.041\""));
  std::setlocale(LC_ALL, "C");
  std::locale::global(before);
}

TEST(Cases, C135LimitsAreKeptAndToldInOneRunAFile) {
  EXPECT_THAT(faults_of("c135/two-runs-same-category.sarif"), Contains(HasSubstr("two runs of one category")));
  Report report = sample_report();
  auto many = report.rules[0];
  auto& horizon = many.horizons[0];
  RowFinding row = horizon.rows[0];
  row.evidence.clear();
  for (int rule = 0; rule < 30; ++rule) {
    many.rule.id = "made.up-" + std::to_string(rule);
    for (int i = 0; i < 25; ++i) many.rule.tags.push_back("tag-" + std::to_string(i));
    many.rule.title = std::string(3000, 'x');
    horizon.rows.assign(Report::kMaxRows, row);
    horizon.counts[Outcome::kFail] = 42'118;
    report.rules.push_back(many);
  }
  Json log = sarif_of(report);
  ASSERT_EQ(log["runs"].size(), 1U);
  EXPECT_EQ(log["runs"][0]["automationDetails"]["id"], "gpuharden/server/gpu-07/");
  auto& results = log["runs"][0]["results"];
  EXPECT_LE(results.size(), 25'000U);
  EXPECT_THAT(results.back()["message"]["text"].get<std::string>(),
              HasSubstr("more findings of this rule are not listed here"));
  results.erase(results.begin() + 100, results.end());
  EXPECT_THAT(ingestion_faults(log), IsEmpty());
  const std::string said = log["runs"][0]["invocations"][0]["toolExecutionNotifications"].dump();
  for (const auto* part : {"results were left out", "tags of rules were left out", "texts were cut"})
    EXPECT_THAT(said, HasSubstr(part));
}

TEST(Cases, C136LevelsFollowTheSeverityAndOnlyAPassLooksLikeOne) {
  const auto faults = faults_of("c136/bad.sarif");
  EXPECT_THAT(faults, Contains(HasSubstr("level is not written down")));
  EXPECT_THAT(faults, Contains(HasSubstr("level error of kind pass")));
  Report report = sample_report();
  for (const auto& [severity, level] : std::vector<std::pair<Severity, std::string>>{{Severity::kCritical, "error"},
                                                                                     {Severity::kHigh, "error"},
                                                                                     {Severity::kMedium, "warning"},
                                                                                     {Severity::kLow, "note"},
                                                                                     {Severity::kInfo, "note"}}) {
    report.rules[0].rule.severity = severity;
    EXPECT_EQ(result_of(sarif_of(report), "env.injection-variable")["level"], level);
  }
  std::map<std::string, std::string> kinds;
  const Json log = sarif_of(sample_report());
  for (const auto& result : log["runs"][0]["results"]) kinds[result["properties"]["outcome"]] = result["kind"];
  const std::map<std::string, std::string> expected = {{"fail", "fail"},
                                                       {"pass", "pass"},
                                                       {"unknown", "open"},
                                                       {"error", "open"},
                                                       {"not-evaluated", "open"},
                                                       {"waived", "fail"},
                                                       {"not-applicable", "notApplicable"}};
  EXPECT_EQ(kinds, expected);
}

// What a user wrote into a file that root's audit shows.
TEST(Cases, C137HostileFilesDriveNothingAndLoseNoReport) {
  using namespace std::string_literals;
  Capture capture;
  capture.tree("tests/data/apt/c137")
      .file("/etc/apt/sources.list.d/worse.list",
            "# \x1b[31mred\x1b[0m \0 \x08 caf\xe9 \xed\xa0\x80 ]]> <script>alert(1)</script>\n"
            "deb [trusted=yes] https://developer.download.nvidia.com/\x1b]0;owned\x07 ./\n"s);
  capture.save();
  for (const auto& format : report_formats()) {
    const auto run =
        run_program({"audit", "--capture", capture.path(), "--check", "apt.*", "-f", std::string(format.name)});
    EXPECT_EQ(run.exit_code, 2) << format.name << run.err;
    EXPECT_EQ(run.out.find_first_of("\x1b\x07\x08\0"s), std::string::npos) << format.name;
    EXPECT_EQ(replace_invalid_utf8(run.out), run.out) << format.name;
    EXPECT_THAT(run.out, Not(HasSubstr("<script"))) << format.name;
    EXPECT_THAT(run.out, HasSubstr("apt.trusted-option")) << format.name;
  }
}

TEST(Cases, C139FingerprintsAreThoseOfTheFindingOnEveryHost) {
  Report report = sample_report();
  const Json before = sarif_of(report);
  report.host.name = "another";
  report.started += 86'400;
  report.rules[0].horizons[0].rows[0].line = 40;
  report.rules[0].horizons[0].rows[0].message = "pid 4711";
  std::reverse(report.rules.begin(), report.rules.end());
  const Json after = sarif_of(report);
  const auto fingerprints = [](const Json& log) {
    std::set<std::string> out;
    for (const auto& result : log["runs"][0]["results"])
      out.insert(result["ruleId"].get<std::string>() + result["partialFingerprints"].dump());
    return out;
  };
  EXPECT_EQ(fingerprints(before), fingerprints(after));
  EXPECT_NE(before["runs"][0]["automationDetails"]["id"], after["runs"][0]["automationDetails"]["id"]);
}

}  // namespace
}  // namespace gpuharden::test
