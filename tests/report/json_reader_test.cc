// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/report/json_reader.h"
#include "tests/report/sample.h"

namespace gpuharden::test {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

TEST(JsonReader, GivesBackWhatWasWritten) {
  for (const auto& report : {sample_report(), hostile_report()}) {
    const std::string json = write_json(report, {});
    const auto read = read_report(json);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(write_json(*read, {}), json);
    EXPECT_EQ(write_csv(*read, {}).size() > 100, true);
  }
}

TEST(JsonReader, NamesThePlaceOfWhatIsWrong) {
  const Json good = Json::parse(write_json(sample_report(), {}));
  for (const auto& [pointer, value] :
       std::vector<std::pair<std::string, Json>>{{"/rules/0/severity", "huge"},
                                                 {"/rules/0/horizons/0/rows/0/line", "four"},
                                                 {"/rules/0/horizons/0/rows/0/fingerprint", "x"},
                                                 {"/rules/0/horizons/0/counts/fail", -1},
                                                 {"/rules/0/horizons", Json::array()},
                                                 {"/rules/0/required", 1},
                                                 {"/host/gpus", "none"},
                                                 {"/started", "yesterday"},
                                                 {"/exit_code", 18446744073709551615U},
                                                 {"/waivers/0/expires", "soon"}}) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    const auto read = read_report(bad.dump());
    ASSERT_FALSE(read) << pointer;
    EXPECT_THAT(read.error().message, HasSubstr(pointer));
  }
  Json without = good;
  without["host"].erase("name");
  EXPECT_THAT(read_report(without.dump()).error().message, HasSubstr("/host/name: is missing"));
}

TEST(JsonReader, PassesOverWhatItDoesNotKnow) {
  Json newer = Json::parse(write_json(sample_report(), {}));
  newer["moon"] = {{"phase", "full"}};
  newer["rules"][0]["horizons"][0]["rows"][0]["colour"] = "red";
  EXPECT_TRUE(read_report(newer.dump()));
}

TEST(JsonReader, RefusesWhatIsNoReport) {
  for (const auto& text : {std::string(), std::string("{"), std::string("[]"), std::string("{}"), std::string("null"),
                           std::string(R"({"format": "gpuharden.report/2"})"), std::string(1 << 20, '['),
                           std::string("{\"format\": \"\xff\"}")})
    EXPECT_FALSE(read_report(text)) << text.substr(0, 40);
}

}  // namespace
}  // namespace gpuharden::test
