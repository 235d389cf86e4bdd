// SPDX-License-Identifier: GPL-2.0-or-later
// SARIF against the OASIS schema and against what code scanning asks beyond it; cases_test.cc has the refused files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "engine/base/text.h"
#include "engine/report/taxonomies.h"
#include "engine/report/uri.h"
#include "tests/report/sample.h"
#include "tests/report/sarif_checker.h"
#include "tests/support/capture.h"
#include "tests/support/program.h"
#include "tests/support/schema.h"

namespace gpuharden::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Json = nlohmann::json;

constexpr const char* kSchema = "tests/data/schemas/sarif-schema-2.1.0.json";

Json results_of(const Json& log) { return log["runs"][0]["results"]; }

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

TEST(SarifWriter, OfAPlantedHostIsAccepted) {
  const auto run = run_program({"audit", "--capture", source_path("tests/hosts/nvidia-bad"), "--format", "sarif"});
  ASSERT_EQ(run.exit_code, 2) << run.err;
  expect_accepted(Json::parse(run.out));
}

TEST(SarifWriter, ErrorsOfTheToolAreNotifications) {
  const Json invocation = sarif_of(sample_report())["runs"][0]["invocations"][0];
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
