// SPDX-License-Identifier: GPL-2.0-or-later
// SARIF against the OASIS schema and against what code scanning asks beyond it (cases C130 to C139).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "engine/base/text.h"
#include "engine/report/taxonomies.h"
#include "engine/report/uri.h"
#include "tests/report/sample.h"
#include "tests/report/sarif_checker.h"
#include "tests/report/schema.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Json = nlohmann::json;

constexpr const char* kSchema = "tests/data/schemas/sarif-schema-2.1.0.json";

Json sarif_of(const Report& report, const WriterOptions& options = {}) {
  return Json::parse(write_sarif(report, options));
}

Json results_of(const Json& log) { return log["runs"][0]["results"]; }

// The first failing one of the rule.
Json result_of(const Json& log, const std::string& rule) {
  for (const auto& result : results_of(log)) {
    if (result["ruleId"] == rule && result["kind"] == "fail") return result;
  }
  throw std::runtime_error("no result of " + rule);
}

void expect_accepted(const Json& log) {
  EXPECT_EQ(violations(log, kSchema), "");
  EXPECT_THAT(ingestion_faults(log), IsEmpty());
}

TEST(SarifWriter, IsAcceptedBySchemaAndIngestion) { expect_accepted(sarif_of(sample_report())); }

TEST(SarifWriter, OfHostileTextIsAccepted) {
  const Json log = sarif_of(hostile_report());
  expect_accepted(log);
  EXPECT_THAT(log.dump(), HasSubstr("caf\uFFFD")) << "invalid bytes are replaced";
}

// C130: one result without a location loses the whole upload.
TEST(SarifWriter, FactsWithoutAFileHaveAStablePlace) {
  const Json log = sarif_of(sample_report());
  const Json location = result_of(log, "dkms.next-kernel")["locations"][0];
  EXPECT_EQ(location["physicalLocation"]["artifactLocation"]["uri"], "gpuharden/dkms/next-kernel");
  EXPECT_EQ(location["physicalLocation"]["region"]["startLine"], 1);
  EXPECT_EQ(location["logicalLocations"][0]["name"], "6.8.0-63-generic");
  const Json real = result_of(log, "env.injection-variable")["locations"][0]["physicalLocation"];
  EXPECT_EQ(real["artifactLocation"]["uri"], "etc/systemd/system/vllm.service.d/10-tune.conf");
  EXPECT_EQ(real["region"]["startLine"], 4);
}

// C131
TEST(RelativeUri, EncodesWhatAPathMayHold) {
  EXPECT_EQ(relative_uri("/etc/apt/sources.list.d/a b.list"), "etc/apt/sources.list.d/a%20b.list");
  EXPECT_EQ(relative_uri("/etc/systemd/system/getty@tty1.service.d/x.conf"),
            "etc/systemd/system/getty@tty1.service.d/x.conf");
  EXPECT_EQ(relative_uri("/etc/profile.d/50%off#1.sh"), "etc/profile.d/50%25off%231.sh");
  EXPECT_EQ(relative_uri("/home/j\xc3\xbcrgen/.bashrc"), "home/j%C3%BCrgen/.bashrc");
  EXPECT_EQ(relative_uri("/etc/udev/rules.d/[gpu].rules"), "etc/udev/rules.d/%5Bgpu%5D.rules");
  EXPECT_EQ(relative_uri("//a:b\\c?\n\xff"), "a%3Ab%5Cc%3F%0A%FF");
  EXPECT_EQ(relative_uri("///"), "");
  EXPECT_EQ(uri_segment("a/b"), "a%2Fb");
}

// C133, C136
TEST(SarifWriter, LevelsAndSeveritiesFollowTheRule) {
  Report report = sample_report();
  for (const auto& [severity, level, number] :
       std::vector<std::tuple<Severity, std::string, std::string>>{{Severity::kCritical, "error", "9.5"},
                                                                   {Severity::kHigh, "error", "8.0"},
                                                                   {Severity::kMedium, "warning", "5.5"},
                                                                   {Severity::kLow, "note", "2.5"},
                                                                   {Severity::kInfo, "note", "0.5"}}) {
    report.rules[0].rule.severity = severity;
    const Json log = sarif_of(report);
    EXPECT_EQ(result_of(log, "env.injection-variable")["level"], level);
    EXPECT_EQ(log["runs"][0]["tool"]["driver"]["rules"][0]["properties"]["security-severity"], number);
  }
}

TEST(SarifWriter, EveryOutcomeIsVisibleAndOnlyAPassLooksLikeOne) {
  const Json log = sarif_of(sample_report());
  std::map<std::string, std::string> kinds;
  for (const auto& result : results_of(log)) kinds[result["properties"]["outcome"]] = result["kind"];
  const std::map<std::string, std::string> expected = {{"fail", "fail"},
                                                       {"pass", "pass"},
                                                       {"unknown", "open"},
                                                       {"error", "open"},
                                                       {"not-evaluated", "open"},
                                                       {"waived", "fail"},
                                                       {"not-applicable", "notApplicable"}};
  EXPECT_EQ(kinds, expected);
  const Json invocation = log["runs"][0]["invocations"][0];
  EXPECT_THAT(invocation["toolExecutionNotifications"].dump(), HasSubstr("ports.ray: reading table"));
}

TEST(SarifWriter, WaivedFindingsAreSuppressedWithTheirReason) {
  const Json result = result_of(sarif_of(sample_report()), "kernel.kexec");
  EXPECT_EQ(result["suppressions"][0]["kind"], "external");
  EXPECT_THAT(result["suppressions"][0]["justification"].get<std::string>(), HasSubstr("alice"));
}

TEST(SarifWriter, LeavesOutWhatIsAskedTo) {
  WriterOptions options;
  options.omit = {Outcome::kPass, Outcome::kWaived};
  const Json log = sarif_of(sample_report(), options);
  for (const auto& result : results_of(log)) {
    EXPECT_NE(result["properties"]["outcome"], "pass");
    EXPECT_NE(result["properties"]["outcome"], "waived");
  }
  EXPECT_EQ(log["runs"][0]["properties"]["rules_by_outcome"]["pass"], 1) << "the count stays";
}

// C135: too many results would be refused as a whole.
TEST(SarifWriter, KeepsTheLimitsAndSaysWhatItCut) {
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
  auto& results = log["runs"][0]["results"];
  EXPECT_LE(results.size(), 25'000U);
  const std::string last = results.back()["message"]["text"];
  EXPECT_THAT(last, HasSubstr("more findings of this rule are not listed here"));
  results.erase(results.begin() + 100, results.end());
  EXPECT_THAT(ingestion_faults(log), IsEmpty());
  const std::string said = log["runs"][0]["invocations"][0]["toolExecutionNotifications"].dump();
  EXPECT_THAT(said, HasSubstr("results were left out"));
  EXPECT_THAT(said, HasSubstr("tags of rules were left out"));
  EXPECT_THAT(said, HasSubstr("texts were cut"));
}

// C139: nothing but what the finding is goes into its fingerprint.
TEST(SarifWriter, FingerprintsAreThoseOfTheFindingOnEveryHost) {
  Report report = sample_report();
  const Json before = sarif_of(report);
  report.host.name = "another";
  report.started += 86'400;
  report.rules[0].horizons[0].rows[0].line = 40;
  report.rules[0].horizons[0].rows[0].message = "pid 4711";
  std::reverse(report.rules.begin(), report.rules.end());
  const auto fingerprints = [](const Json& log) {
    std::set<std::string> out;
    for (const auto& result : results_of(log))
      out.insert(result["ruleId"].get<std::string>() + result["partialFingerprints"].dump());
    return out;
  };
  EXPECT_EQ(fingerprints(before), fingerprints(sarif_of(report)));
  EXPECT_NE(before["runs"][0]["automationDetails"]["id"], sarif_of(report)["runs"][0]["automationDetails"]["id"]);
}

TEST(SarifWriter, ALinkInAMessageIsNoLink) {
  Report report = sample_report();
  report.rules[0].horizons[0].rows[0].message = "see [here](https://example.org)";
  EXPECT_THAT(write_sarif(report, {}), Not(HasSubstr("see [here](")));
}

TEST(Taxonomies, AreThoseThatTheRulesWereCheckedAgainst) {
  EXPECT_THAT(read_source("rules/reference/attack.tsv").substr(0, 100), HasSubstr(concat({"v", kAttackVersion, "."})));
  EXPECT_THAT(read_source("rules/reference/atlas.tsv").substr(0, 100), HasSubstr(concat({", ", kAtlasVersion, "."})));
}

// The checker itself: each of these is a file that was refused somewhere.
TEST(SarifChecker, RefusesWhatTheSchemaAccepts) {
  const Json good = sarif_of(sample_report());
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"/runs/0/results/0/locations", "[]"},
      {"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", R"("")"},
      {"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", R"("no file associated")"},
      {"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", R"("/etc/passwd")"},
      {"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", R"("etc\\passwd")"},
      {"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", R"("image:etc/passwd")"},
      {"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uriBaseId", R"("NOWHERE")"},
      {"/runs/0/results/0/locations/0/physicalLocation/region", R"({"startLine": 1})"},
      {"/runs/0/tool/driver/rules/0/properties/security-severity", R"("Medium")"},
      {"/runs/0/tool/driver/rules/0/properties/security-severity", R"("7,5")"},
      {"/runs/0/tool/driver/rules/0/properties/security-severity", "7.5"},
      {"/runs/0/tool/driver/rules/0/properties/security-severity", R"("11.0")"},
      {"/runs/0/tool/driver/rules/0/properties/tags", "[]"},
      {"/runs/0/tool/driver/rules/1/id", R"("env.injection-variable")"},
      {"/runs/0/tool/driver/rules/0/shortDescription/text", R"("")"},
      {"/runs/0/results/0/ruleIndex", "1"},
      {"/runs/0/results/0/message/text", R"("")"},
      {"/runs/0/results/0/kind", R"("pass")"},
      {"/runs/0/results/0/level", R"("none")"},
      {"/runs/0/results/0/partialFingerprints", "{}"},
      {"/runs/0/automationDetails/id", R"("")"},
      {"/runs/0/taxonomies", "[]"},
  };
  for (const auto& [pointer, value] : faults) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = Json::parse(value);
    EXPECT_THAT(ingestion_faults(bad), Not(IsEmpty())) << pointer << " " << value;
  }
  Json twice = good;
  twice["runs"].push_back(good["runs"][0]);
  EXPECT_THAT(ingestion_faults(twice), Contains(HasSubstr("two runs of one category")));
}

TEST(SarifChecker, TheSchemaRefusesWhatItKnows) {
  Json bad = sarif_of(sample_report());
  bad["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0;
  EXPECT_NE(violations(bad, kSchema), "");
  bad = sarif_of(sample_report());
  bad["runs"][0]["tool"].erase("driver");
  EXPECT_NE(violations(bad, kSchema), "");
}

}  // namespace
}  // namespace gpuharden::test
