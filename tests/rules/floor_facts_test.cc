// SPDX-License-Identifier: GPL-2.0-or-later
// No floor lies below what an advisory of tests/data/facts names as fixed. Newer floors may lie above.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>

#include "engine/base/text.h"
#include "engine/base/version.h"
#include "tests/support/capture.h"
#include "tests/support/case_file.h"

namespace gpuharden::test {
namespace {

using Line = std::vector<std::string>;

std::vector<Line> read_facts(std::string_view name, std::size_t columns) {
  const std::string text = read_source(concat({"tests/data/facts/", name}));
  std::vector<Line> lines;
  for (const auto line : split(text, '\n')) {
    if (line.empty() || line[0] == '#') continue;
    Line cells;
    for (const auto cell : split(line, '\t')) cells.emplace_back(cell);
    if (cells.size() >= columns) lines.push_back(std::move(cells));
  }
  lines.erase(lines.begin());  // names of the columns
  return lines;
}

const FloorFile& floors_of(std::string_view component) {
  for (const auto& file : shipped_catalog().floors) {
    if (file.component == component) return file;
  }
  throw std::runtime_error("there are no floors of " + std::string(component));
}

// nullptr: nothing is known of the version's branch, and nobody takes it for new enough.
const Floor* floor_for(const FloorFile& file, std::string_view version) {
  for (const auto& floor : file.floors) {
    if (floor.distribution.empty() && floor.device.empty() && is_in_branch(version, floor.branch)) return &floor;
  }
  return nullptr;
}

void expect_not_below(std::string_view component, const std::string& fixed, const std::string& advisory) {
  const FloorFile& file = floors_of(component);
  const Floor* floor = floor_for(file, fixed);
  if (floor == nullptr || floor->status == FloorStatus::kEnded) return;
  const auto order = compare_versions(*parse_version_scheme(floor->scheme), floor->fixed, fixed);
  ASSERT_TRUE(order.has_value()) << component << " " << floor->fixed << " " << fixed;
  EXPECT_GE(*order, 0) << component << " " << floor->fixed << " lies below " << fixed << " of " << advisory;
}

TEST(FloorFacts, EveryDriverBranchOfABulletinHasItsFloor) {
  const std::regex platform(R"(Linux\(R(\d+)\))");
  std::size_t checked = 0;
  for (const auto& line : read_facts("nvidia-bulletins.tsv", 9)) {
    std::smatch branch;
    if (!std::regex_match(line[4], branch, platform)) continue;
    EXPECT_NE(floor_for(floors_of("nvidia-driver"), branch.str(1) + ".1"), nullptr) << line[4];
    expect_not_below("nvidia-driver", line[6], line[1]);
    ++checked;
  }
  EXPECT_GT(checked, 50U);
}

TEST(FloorFacts, AFloorListsTheCvesOfItsBulletin) {
  for (const auto& line : read_facts("nvidia-bulletins.tsv", 9)) {
    if (line[3] != "Tesla") continue;
    for (const auto& floor : floors_of("nvidia-driver").floors) {
      if (floor.fixed == line[6]) {
        EXPECT_EQ(join(floor.cves, " "), line[7]) << line[1];
      }
    }
  }
}

TEST(FloorFacts, OtherProductsOfNvidia) {
  const std::map<std::string, std::string> components = {{"NVIDIA Container Toolkit", "nvidia-container-toolkit"},
                                                         {"NVIDIA GPU Operator", "gpu-operator"},
                                                         {"NVIDIA Kubernetes Device Plugin", "k8s-device-plugin"},
                                                         {"NVIDIA MIG Manager", "mig-manager"},
                                                         {"DCGM", "dcgm"},
                                                         {"DCGM Exporter", "dcgm-exporter"},
                                                         {"NVIDIA CUDA Toolkit", "cuda-toolkit"},
                                                         {"CUDA Toolkit", "cuda-toolkit"},
                                                         {"Triton Inference Server", "triton"},
                                                         {"NVIDIA Triton Inference Server", "triton"},
                                                         {"TensorRT", "tensorrt"},
                                                         {"TensorRT-LLM", "tensorrt-llm"},
                                                         {"NVIDIA TensorRT-LLM", "tensorrt-llm"},
                                                         {"NVIDIA Dynamo", "nvidia-dynamo"}};
  const std::regex number(R"(\d+(\.\d+)+( ?rc\d+)?)");
  std::size_t checked = 0;
  for (const auto& line : read_facts("nvidia-bulletins.tsv", 9)) {
    const auto component = components.find(line[3]);
    std::smatch fixed;
    if (component == components.end() || !std::regex_search(line[6], fixed, number)) continue;
    std::string version = fixed.str();
    std::erase(version, ' ');
    expect_not_below(component->second, version, line[1]);
    ++checked;
  }
  EXPECT_GT(checked, 30U);
}

TEST(FloorFacts, VersionsOfTheGoVulnerabilityDatabase) {
  const std::map<std::string, std::string> components = {
      {"opencontainers/runc", "runc"},
      {"containerd/containerd", "containerd"},
      {"containerd/containerd/v2", "containerd"},
      {"ollama/ollama", "ollama"},
      {"mudler/LocalAI", "localai"},
      {"go-skynet/LocalAI", "localai"},
      {"milvus-io/milvus", "milvus"},
      {"NVIDIA/nvidia-container-toolkit", "nvidia-container-toolkit"}};
  // "runc:i=0,f=1.2.8,i=1.3.0-rc.1,f=1.3.3 ; selinux:i=0,f=1.13.0": other modules are not ours.
  const std::regex part(R"(([a-z0-9-]+):([^ ;]+))");
  const std::regex fixed(R"(f=([^,]+))");
  std::size_t checked = 0;
  for (const auto& line : read_facts("go-vulns.tsv", 4)) {
    const auto component = components.find(line[0]);
    if (component == components.end()) continue;
    const FloorFile& file = floors_of(component->second);
    if (line[3] == "nofix") {
      const auto& open = file.floors.front().open_cves;
      EXPECT_NE(std::find(open.begin(), open.end(), line[1]), open.end()) << line[1];
    }
    for (std::sregex_iterator it(line[3].begin(), line[3].end(), part), end; it != end; ++it) {
      if (it->str(1) == "selinux") continue;
      const std::string ranges = it->str(2);
      for (std::sregex_iterator version(ranges.begin(), ranges.end(), fixed), last; version != last; ++version) {
        expect_not_below(component->second, version->str(1), line[1]);
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 30U);
}

}  // namespace
}  // namespace gpuharden::test
