// SPDX-License-Identifier: GPL-2.0-or-later
// Every format of a clean, a bad and a hostile host, byte for byte. The first two are reports that lie in
// tests/data/reports, so a rule that changes does not change them. What differs is left in the current folder: read
// it, and copy it to tests/golden/formats when it is right.
#include <gtest/gtest.h>

#include <fstream>

#include "engine/base/text.h"
#include "engine/report/json_reader.h"
#include "tests/report/sample.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

Report report_of(const std::string& host) {
  if (host == "hostile") {
    Report report = hostile_report();
    // 1 MiB would be gigabytes of history; formats_test has it.
    report.rules[0].horizons[0].rows[0].evidence.pop_back();
    return report;
  }
  auto report = read_report(read_source(concat({"tests/data/reports/", host, ".json"})));
  if (!report) throw std::runtime_error(report.error().message);
  return std::move(report).value();
}

class GoldenFormatTest : public testing::TestWithParam<std::string> {};

TEST_P(GoldenFormatTest, GivesItsGoldenBytes) {
  const Report report = report_of(GetParam());
  for (const auto& format : report_formats()) {
    const std::string name = concat({GetParam(), ".", format.name});
    const std::string made = format.write(report, {});
    std::ifstream stream(source_path("tests/golden/formats/" + name), std::ios::binary);
    if (std::string{std::istreambuf_iterator<char>(stream), {}} == made) continue;
    std::ofstream(name, std::ios::binary) << made;
    ADD_FAILURE() << "tests/golden/formats/" << name << " differs; the new one is in the current folder";
  }
}

INSTANTIATE_TEST_SUITE_P(Hosts, GoldenFormatTest, testing::Values("clean", "bad", "hostile"),
                         [](const auto& host) { return host.param; });

// Only the time may differ between two runs.
TEST(Formats, OfTwoRunsDifferOnlyInTimes) {
  Report later = report_of("bad");
  const Report before = later;
  later.started += 3600;
  later.duration_us += 12'345;
  for (const auto& format : report_formats()) {
    const std::string first_bytes = format.write(before, {});
    const std::string second_bytes = format.write(later, {});
    const auto first = split(first_bytes, '\n');
    const auto second = split(second_bytes, '\n');
    ASSERT_EQ(first.size(), second.size()) << format.name;
    std::size_t different = 0;
    for (std::size_t i = 0; i < first.size(); ++i) different += first[i] == second[i] ? 0 : 1;
    const bool has_time_in_each_suite = format.name == "junit";
    EXPECT_LE(different, has_time_in_each_suite ? 30U : 3U) << format.name;
  }
}

}  // namespace
}  // namespace gpuharden::test
