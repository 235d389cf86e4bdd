// SPDX-License-Identifier: GPL-2.0-or-later
// Whole hosts against golden reports: tests/golden/<host>.<exit code>.<format>. A report that differs
// is left beside the test binary; read it, and copy it over the golden one when it is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/base/text.h"
#include "tests/support/capture.h"
#include "tests/support/program.h"

namespace gpuharden::test {
namespace {

using Json = nlohmann::ordered_json;

// Without what differs between two runs or two checkouts.
std::string comparable_text(std::string_view text) {
  std::string out;
  bool in_note = false;
  for (const auto line : split(text, '\n')) {
    in_note = line.starts_with("note  ") || (in_note && line.starts_with("      "));
    if (in_note) continue;
    const bool is_total = line.ends_with(" ms");
    out += concat({is_total ? line.substr(0, line.find_last_of(' ', line.size() - 4)) : line, "\n"});
  }
  out.pop_back();
  return out;
}

// What rules say of themselves stands in the reports of the clean hosts, and as text in all.
std::string comparable_json(const std::string& text, bool with_words) {
  Json report = Json::parse(text);
  for (const auto* key : {"started", "duration_us", "warnings", "tool"}) report.erase(key);
  for (auto& rule : report["rules"]) {
    for (const auto* key : {"title", "attack", "atlas", "controls", "tags", "why", "manual", "references"}) {
      if (!with_words) rule.erase(key);
    }
  }
  return report.dump(1) + "\n";
}

void expect_golden(const std::string& host, int exit_code, const std::string& format, const std::string& actual) {
  const std::string name = concat({host, ".", std::to_string(exit_code), ".", format});
  std::string golden;
  try {
    golden = read_source("tests/golden/" + name);
  } catch (const std::runtime_error&) {
    golden = "there is no tests/golden/" + name;
  }
  if (actual == golden) return;
  std::ofstream(name, std::ios::binary) << actual;
  ADD_FAILURE() << name << " differs from tests/golden/" << name << "; the new one is in the current folder";
}

class HostTest : public testing::TestWithParam<std::string> {};

TEST_P(HostTest, GivesItsGoldenReports) {
  const std::string folder = source_path("tests/hosts/" + GetParam());
  const auto text = run_program({"audit", "--capture", folder});
  expect_golden(GetParam(), text.exit_code, "text", comparable_text(text.out));
  const auto json = run_program({"audit", "--capture", folder, "--format", "json"});
  expect_golden(GetParam(), json.exit_code, "json", comparable_json(json.out, folder.ends_with("-clean")));
}

std::string test_name(const testing::TestParamInfo<std::string>& host) {
  std::string name = host.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Hosts, HostTest,
                         testing::Values("amd-clean", "nvidia-clean", "nvidia-bad", "amd-bad", "other-bad"), test_name);

Json deep_report(const std::string& host) {
  const std::string folder = source_path("tests/hosts/" + host);
  return Json::parse(run_program({"audit", "--capture", folder, "--deep", "--format", "json"}).out);
}

class CleanHostTest : public testing::TestWithParam<std::string> {};

TEST_P(CleanHostTest, HasNothingToReport) {
  const Json report = deep_report(GetParam());
  for (const auto& rule : report["rules"]) {
    const auto outcome = rule["outcome"].get<std::string>();
    EXPECT_TRUE(outcome == "pass" || outcome == "not-applicable") << rule["id"] << ": " << outcome;
  }
}

INSTANTIATE_TEST_SUITE_P(Hosts, CleanHostTest, testing::Values("amd-clean", "nvidia-clean"), test_name);

// Calls seen(rule, horizon, row) for each row that fails.
template <class Function>
void each_failed_row(const Json& report, Function seen) {
  for (const auto& rule : report["rules"]) {
    for (const auto& horizon : rule["horizons"]) {
      for (const auto& row : horizon["rows"]) {
        if (row["outcome"] == "fail") seen(rule["id"].get<std::string>(), horizon.value("name", ""), row);
      }
    }
  }
}

class PlantedHostTest : public testing::TestWithParam<std::string> {};

TEST_P(PlantedHostTest, ReportsEachFindingOnce) {
  std::map<std::vector<std::string>, int> times;
  each_failed_row(deep_report(GetParam()), [&](const std::string& rule, const std::string& horizon, const Json& row) {
    const std::string line = row.contains("line") ? row["line"].dump() : "";
    ++times[{rule, horizon, row["subject"].get<std::string>(), row.value("file", ""), line}];
  });
  for (const auto& [finding, count] : times) {
    std::string words;
    for (const auto& word : finding) words += word + " ";
    EXPECT_EQ(count, 1) << words;
  }
}

INSTANTIATE_TEST_SUITE_P(Hosts, PlantedHostTest, testing::Values("nvidia-bad", "amd-bad", "other-bad"), test_name);

// Rules that no planted host can break by itself, and why.
const std::map<std::string, std::string>& not_planted() {
  static const std::map<std::string, std::string> rules{
      {"devices.expected-gpus", "judges only where the parameter expect_gpus is set"},
  };
  return rules;
}

TEST(PlantedHosts, BreakEveryRule) {
  std::set<std::string> all, broken;
  for (const auto* host : {"nvidia-bad", "amd-bad", "other-bad"}) {
    const Json report = deep_report(host);
    EXPECT_TRUE(report["not_selected"].empty()) << report["not_selected"];
    for (const auto& rule : report["rules"]) {
      all.insert(rule["id"].get<std::string>());
      if (rule["outcome"] == "fail") broken.insert(rule["id"].get<std::string>());
    }
  }
  for (const auto& rule : all) {
    EXPECT_NE(broken.count(rule), not_planted().count(rule)) << rule << " is planted nowhere, or need not be excused";
  }
}

// Each run of neighbouring lines that begin so in the other order.
std::string turned(const std::string& text, std::string_view beginning) {
  std::vector<std::string> lines;
  for (const auto line : split(text, '\n')) lines.emplace_back(line);
  const auto is_one = [&](const std::string& line) { return line.starts_with(beginning) && !line.empty(); };
  for (auto begin = std::find_if(lines.begin(), lines.end(), is_one); begin != lines.end();) {
    const auto end = std::find_if_not(begin, lines.end(), is_one);
    std::reverse(begin, end);
    begin = std::find_if(end, lines.end(), is_one);
  }
  return join(lines, "\n");
}

void turn_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  ASSERT_NE(turned(text, ""), text) << path;
  std::ofstream(path, std::ios::binary) << turned(text, "");
}

// No process id, inode, order or host name is part of what a finding is.
TEST(Fingerprints, SurviveOtherProcessIdsInodesOrdersAndNames) {
  const auto fingerprints = [](const Json& report) {
    std::vector<std::string> all;
    for (const auto& rule : report["rules"]) {
      for (const auto& horizon : rule["horizons"]) {
        for (const auto& row : horizon["rows"])
          all.push_back(rule["id"].get<std::string>() + " " + row["fingerprint"].get<std::string>());
      }
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  const std::string folder = source_path("tests/hosts/nvidia-bad");
  const Json before = Json::parse(run_program({"audit", "--capture", folder, "--format", "json"}).out);
  const TemporaryFolder other;
  const auto options = std::filesystem::copy_options::recursive | std::filesystem::copy_options::copy_symlinks;
  std::filesystem::copy(folder, other.path() + "/host", options);
  const std::string proc = other.path() + "/host/root/proc/";
  std::filesystem::rename(proc + "811", proc + "91811");
  std::filesystem::rename(proc + "812", proc + "300");
  for (const auto& [pid, fd, from, to] : std::vector<std::array<std::string, 4>>{
           {"91811", "3", "5001", "77"}, {"300", "3", "5002", "9001"}, {"300", "5", "5003", "12"}}) {
    std::filesystem::remove(proc + pid + "/fd/" + fd);
    std::filesystem::create_symlink("socket:[" + to + "]", proc + pid + "/fd/" + fd);
  }
  std::string yaml = read_source("tests/hosts/nvidia-bad/host.yaml");
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"inode: 5001", "inode: 77"},
                                                                                 {"inode: 5002", "inode: 9001"},
                                                                                 {"inode: 5003", "inode: 12"},
                                                                                 {"gpu-07", "other"}}) {
    yaml.replace(yaml.find(from), from.size(), to);
  }
  std::ofstream(other.path() + "/host/host.yaml") << turned(yaml, "  - {");
  // The first of two accounts of one number gives it its name, so /etc/passwd stays.
  turn_file(other.path() + "/host/root/etc/group");
  for (const auto* pid : {"91811", "300"}) {
    const std::string status = proc + pid + "/status";
    std::ifstream in(status);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto at = text.find("Pid:\t");
    text.replace(at, text.find('\n', at) - at, std::string("Pid:\t") + pid);
    std::ofstream(status) << text;
  }
  const Json after = Json::parse(run_program({"audit", "--capture", other.path() + "/host", "--format", "json"}).out);
  EXPECT_EQ(after["host"]["name"], "other");
  EXPECT_EQ(fingerprints(after), fingerprints(before));
}

}  // namespace
}  // namespace gpuharden::test
