// SPDX-License-Identifier: GPL-2.0-or-later
// The JSON report against its published schema, and hostile text in it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/report/compare.h"
#include "tests/report/sample.h"
#include "tests/support/capture.h"
#include "tests/support/program.h"
#include "tests/support/schema.h"

namespace gpuharden::test {
namespace {

using Json = nlohmann::json;

std::string report_violations(const Json& document) { return violations(document, "docs/report.schema.json"); }

TEST(JsonWriter, FollowsItsSchema) { EXPECT_EQ(report_violations(Json::parse(write_json(sample_report(), {}))), ""); }

TEST(JsonWriter, HasNoKeyThatTheSchemaDoesNotDescribe) {
  Report report = hostile_report();
  report.rules[0].rule.fix = {"files.write", {}, "none"};
  report.rules[0].horizons[0].cut_off = true;
  report.rules[0].horizons[0].rows[0].waiver = {"a reason", "alice", "2027-01-31", Outcome::kFail};
  mark_baseline(sample_report(), report);
  EXPECT_EQ(violations_or_undescribed(Json::parse(write_json(report, {})), "docs/report.schema.json"), "");
}

// A program that reads one document can read the others' parts by the same code.
TEST(Schemas, DescribeTheSamePartsInTheSameWords) {
  const Json report = Json::parse(read_source("docs/report.schema.json"))["definitions"];
  std::size_t shared = 0;
  for (const auto* file : {"docs/fleet.schema.json", "docs/diff.schema.json"}) {
    const Json other = Json::parse(read_source(file))["definitions"];
    for (const auto& [name, definition] : other.items()) {
      if (!report.contains(name) || name == "rule") continue;
      EXPECT_EQ(definition, report[name]) << file << " " << name;
      ++shared;
    }
  }
  EXPECT_EQ(shared, 9U);
}

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
