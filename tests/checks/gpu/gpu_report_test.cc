// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/gpu/gpu_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

constexpr std::string_view kReport = R"({"schema":"gpuharden.gpu/1","level":"quick","devices":[
  {"vendor":"cuda","outcome":"failed","reason":"mismatch","sentence":"fp32: wrong","index":1,"name":"GPU","pci":"0000:33:00.0",
   "architecture":"sm_90","memory_bytes":1024,"checks":[{"name":"fp32","passed":false,"detail":"wrong","gflops":41000.7,
   "matrix_unit":true},{"name":"memory","passed":true,"gbytes_per_second":-5}]},
  {"vendor":"hip","outcome":"not evaluated","reason":"no-driver","sentence":"none","checks":[]}],"notes":["a note"]})";

TEST(GpuReport, HoldsDevicesAndTheirChecks) {
  const auto report = parse_gpu_report(kReport);
  ASSERT_TRUE(report.has_value());
  ASSERT_EQ(report->devices.size(), 2U);
  const auto& gpu = report->devices[0];
  EXPECT_EQ(gpu_label(gpu), "cuda 1");
  EXPECT_EQ(gpu.reason, "mismatch");
  ASSERT_EQ(gpu.checks.size(), 2U);
  EXPECT_EQ(gpu.checks[0].gflops, 41000);
  EXPECT_EQ(gpu.checks[0].matrix_unit, true);
  EXPECT_EQ(gpu.checks[1].gbytes, std::nullopt);
  EXPECT_EQ(gpu_label(report->devices[1]), "hip");
  EXPECT_THAT(report->notes, testing::ElementsAre("a note"));
}

// What is not understood must not count as "no device": it is no report at all.
TEST(GpuReport, IsRefusedAsAWhole) {
  for (const auto* text :
       {"", "{}", "[1]", R"({"schema":"gpuharden.gpu/2","devices":[]})", R"({"schema":"gpuharden.gpu/1"})",
        R"({"schema":"gpuharden.gpu/1","devices":[{}]})",
        R"({"schema":"gpuharden.gpu/1","devices":[{"vendor":"cuda","outcome":"fine","reason":"x","checks":[]}]})",
        R"({"schema":"gpuharden.gpu/1","devices":[{"vendor":"cuda","outcome":"pass","reason":"pass"}]})",
        R"({"schema":"gpuharden.gpu/1","devices":[{"vendor":"cuda","outcome":"pass","reason":"pass",
                              "checks":[{"name":"fp32"}]}]})"}) {
    const auto report = parse_gpu_report(text);
    ASSERT_FALSE(report.has_value()) << text;
    EXPECT_EQ(report.error().code, ErrorCode::kMalformed);
  }
}

TEST(GpuDevicesProbe, HasARowForEachDeviceAndDriver) {
  Capture capture;
  capture.yaml("gpu-report: '" + std::string(kReport) + "'");
  const auto table = read_table(*capture.open(), "gpu_devices");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.where("device", "cuda 1").at("reason"), "mismatch");
  EXPECT_EQ(table.where("device", "hip").at("pci"), "NULL");
  EXPECT_EQ(read_table(*capture.open(), "gpu_compute").where("check_name", "fp32").at("gflops"), "41000");
}

TEST(GpuDevicesProbe, IsAGapWhereNobodyAsked) {
  Capture capture;
  EXPECT_THAT(read_table(*capture.open(), "gpu_devices").gap_words(), testing::ElementsAre("* * unsupported"));
  EXPECT_THAT(read_table(*capture.open(), "gpu_compute").gap_words(), testing::ElementsAre("* * unsupported"));
}

TEST(GpuDevicesProbe, IsAGapForNonsense) {
  Capture capture;
  capture.yaml("gpu-report: '{}'");
  EXPECT_THAT(read_table(*capture.open(), "gpu_devices").gap_words(), testing::ElementsAre("* * malformed"));
}

}  // namespace
}  // namespace gpuharden::test
