// SPDX-License-Identifier: GPL-2.0-or-later
// The JSON report against its published schema, and hostile text in it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/report/sample.h"
#include "tests/report/schema.h"
#include "tests/support/program.h"

namespace gpuharden::test {
namespace {

using Json = nlohmann::json;

std::string report_violations(const Json& document) { return violations(document, "docs/report.schema.json"); }

TEST(JsonWriter, FollowsItsSchema) { EXPECT_EQ(report_violations(Json::parse(write_json(sample_report(), {}))), ""); }

TEST(JsonWriter, TheSchemaRefusesWhatIsWrong) {
  const Json good = Json::parse(write_json(sample_report(), {}));
  for (const auto& [pointer, value] :
       std::vector<std::pair<std::string, Json>>{{"/format", "gpuharden.report/2"},
                                                 {"/exit_code", 7},
                                                 {"/rules/0/outcome", "green"},
                                                 {"/rules/0/severity", "huge"},
                                                 {"/rules/0/horizons/0/rows/0/fingerprint", "x"},
                                                 {"/started", "yesterday"},
                                                 {"/rules/0/attack/0/id", "1"}}) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    EXPECT_NE(report_violations(bad), "") << pointer;
  }
}

TEST(JsonWriter, HostileTextIsReplacedNeverLost) {
  Report report = sample_report();
  auto& row = report.rules.at(0).horizons.at(0).rows.at(0);
  row.subject = std::string("a\0b\x1b[31m\xff\xfe\xed\xa0\x80</script>\"\n", 22);
  row.evidence.push_back({"bytes", ValueKind::kText, 0, std::string(1 << 20, '\xc3')});
  const Json parsed = Json::parse(write_json(report, {}));
  EXPECT_EQ(report_violations(parsed), "");
  const std::string subject = parsed["rules"][0]["horizons"][0]["rows"][0]["subject"];
  EXPECT_EQ(subject.substr(0, 3), std::string("a\0b", 3));
  EXPECT_NE(subject.find("\xEF\xBF\xBD"), std::string::npos);
}

TEST(JsonReport, OfThisMachineFollowsTheSchema) {
  const auto run = run_program({"audit", "--format", "json"});
  ASSERT_TRUE(run.exit_code >= 0 && run.exit_code <= 2) << run.err;
  const Json report = Json::parse(run.out);
  EXPECT_EQ(report_violations(report), "");
  EXPECT_EQ(report["exit_code"], run.exit_code);
  EXPECT_GE(report["rules"].size(), 30U);
}

}  // namespace
}  // namespace gpuharden::test
