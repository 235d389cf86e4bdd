// SPDX-License-Identifier: GPL-2.0-or-later
// Merging: one finding a fingerprint, whatever the order, and documents that their readers accept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/cli/stored_fleet.h"
#include "engine/report/fleet_writer.h"
#include "tests/report/sample.h"
#include "tests/report/sarif_checker.h"
#include "tests/support/schema.h"

namespace gpuharden::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

StoredFleet fleet_of(const std::vector<Report>& reports) {
  auto fleet = StoredFleet::create();
  if (!fleet) throw std::runtime_error(fleet.error().message);
  for (const auto& report : reports) {
    if (!fleet->add(report)) throw std::runtime_error("adding a report");
  }
  return std::move(fleet).value();
}

std::string written(const StoredFleet& fleet, Status (*write)(const Fleet&, const Sink&)) {
  std::string out;
  const auto status = write(fleet, [&](std::string_view bytes) { out += bytes; });
  EXPECT_TRUE(status) << status.error().message;
  return out;
}

Report named(Report report, const std::string& name) {
  report.host.name = name;
  return report;
}

// A host on which a waived finding fails, and one more thing is found.
Report other_host() {
  Report report = named(sample_report(), "gpu-08");
  for (auto& finding : report.rules) {
    if (finding.outcome != Outcome::kWaived) continue;
    finding.outcome = finding.horizons[0].outcome = Outcome::kFail;
    finding.horizons[0].counts = {{Outcome::kFail, 1}};
    finding.horizons[0].waiver.reset();
  }
  auto row = report.rules[0].horizons[0].rows[0];
  row.fingerprint = std::string(32, 'e');
  row.subject = "only here";
  report.rules[0].horizons[0].rows.push_back(row);
  return report;
}

TEST(Fleet, HasEachFindingOnceWithHostsByOutcome) {
  const Json fleet = Json::parse(written(fleet_of({sample_report(), other_host()}), &write_fleet_json));
  EXPECT_EQ(fleet["format"], "gpuharden.fleet/1");
  EXPECT_EQ(fleet["hosts"].size(), 2U);
  std::map<std::string, Json> hosts;
  std::set<std::string> identities;
  for (const auto& finding : fleet["findings"]) {
    EXPECT_TRUE(identities.insert(finding["identity"]).second);
    hosts[finding["rule"].get<std::string>() + " " + finding["outcome"].get<std::string>()] = finding["hosts"];
  }
  EXPECT_EQ(hosts["dkms.next-kernel fail"], (Json{{"fail", {0, 1}}}));
  EXPECT_EQ(fleet["findings"][0]["outcome"], "fail") << "worst first";
  for (const auto& rule : fleet["rules"]) {
    if (rule["id"] == "accounts.uid-zero") {
      EXPECT_EQ(rule["hosts"], (Json{{"pass", 2}}));
    } else if (rule["id"] == "kernel.kexec") {
      EXPECT_EQ(rule["hosts"], (Json{{"fail", 1}, {"waived", 1}}));
    }
  }
}

TEST(Fleet, DoesNotDependOnTheOrderButForTheNumbersOfHosts) {
  const auto findings = [](const std::vector<Report>& reports) {
    Json fleet = Json::parse(written(fleet_of(reports), &write_fleet_json));
    for (auto& finding : fleet["findings"]) finding.erase("hosts");
    return fleet["findings"];
  };
  EXPECT_EQ(findings({sample_report(), other_host()}), findings({other_host(), sample_report()}));
}

constexpr const char* kFleetSchema = "docs/fleet.schema.json";

TEST(Fleet, FollowsItsSchemaAndHasNoKeyBesides) {
  auto fleet = fleet_of({sample_report(), other_host(), named(hostile_report(), "\xff<b>")});
  fleet.warn("left out: x.json: not JSON");
  EXPECT_EQ(violations_or_undescribed(Json::parse(written(fleet, &write_fleet_json)), kFleetSchema), "");
}

TEST(Fleet, TheSchemaRefusesWhatIsWrong) {
  const Json good = Json::parse(written(fleet_of({sample_report()}), &write_fleet_json));
  for (const auto& [pointer, value] : std::vector<std::pair<std::string, Json>>{{"/format", "gpuharden.fleet/2"},
                                                                                {"/hosts", Json::array()},
                                                                                {"/hosts/0/exit_code", 7},
                                                                                {"/rules/0/hosts/green", 1},
                                                                                {"/findings/0/hosts", Json::object()},
                                                                                {"/findings/0/row/fingerprint", "x"},
                                                                                {"/findings/0/outcome", "green"}}) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    EXPECT_NE(violations(bad, kFleetSchema), "") << pointer;
  }
}

// A waiver of what no row stands for is told as that of a row is.
TEST(Fleet, TellsWhoAcceptsWhatIsWaived) {
  const auto fleet = fleet_of({sample_report()});
  for (auto* writer : {&write_fleet_json, &write_fleet_sarif, &write_fleet_html})
    EXPECT_THAT(written(fleet, *writer), HasSubstr("kdump needs it until the cluster moves"));
  const Json log = Json::parse(written(fleet, &write_fleet_sarif));
  for (const auto& result : log["runs"][0]["results"])
    EXPECT_EQ(result.contains("suppressions"), result["properties"]["outcome"] == "waived") << result["ruleId"];
}

TEST(Fleet, AsSarifIsAccepted) {
  const Json log = Json::parse(
      written(fleet_of({sample_report(), other_host(), named(hostile_report(), "\xff<b>")}), &write_fleet_sarif));
  EXPECT_EQ(violations(log, "tests/data/schemas/sarif-schema-2.1.0.json"), "");
  EXPECT_THAT(ingestion_faults(log), IsEmpty());
  for (const auto& result : log["runs"][0]["results"]) {
    EXPECT_EQ(result["properties"]["hosts"].size(), result["properties"]["host_count"].get<std::size_t>());
    EXPECT_THAT(result["message"]["text"].get<std::string>(), HasSubstr("host"));
  }
}

TEST(Fleet, FingerprintsAreThoseOfASingleHost) {
  const Json one = Json::parse(write_sarif(sample_report(), {}));
  const Json many = Json::parse(written(fleet_of({sample_report(), other_host()}), &write_fleet_sarif));
  const auto prints = [](const Json& log) {
    std::set<std::string> out;
    for (const auto& result : log["runs"][0]["results"]) {
      const std::string outcome = result["properties"]["outcome"];
      if (outcome == "fail" || outcome == "unknown")
        out.insert(result["ruleId"].get<std::string>() + result["partialFingerprints"].dump());
    }
    return out;
  };
  const auto all = prints(many);
  for (const auto& print : prints(one)) EXPECT_TRUE(all.contains(print)) << print;
}

TEST(Fleet, SaysWhichHostsWereNotSeenByRoot) {
  Report blind = named(sample_report(), "gpu-08");
  blind.host.privileged = false;
  const auto fleet = fleet_of({sample_report(), blind});
  const Json hosts = Json::parse(written(fleet, &write_fleet_json))["hosts"];
  EXPECT_EQ(hosts[0]["privileged"], true);
  EXPECT_EQ(hosts[1]["privileged"], false);
  EXPECT_THAT(written(fleet, &write_fleet_html), HasSubstr("<br>not run as root</td>"));
}

TEST(Fleet, SaysWhatWasLeftOut) {
  auto fleet = fleet_of({sample_report()});
  fleet.warn("left out: x.json: not JSON");
  EXPECT_THAT(written(fleet, &write_fleet_json), HasSubstr("left out: x.json"));
  EXPECT_THAT(written(fleet, &write_fleet_sarif), HasSubstr("left out: x.json"));
  EXPECT_THAT(written(fleet, &write_fleet_html), HasSubstr("left out: x.json"));
}

}  // namespace
}  // namespace gpuharden::test
