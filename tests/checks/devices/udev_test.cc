// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/devices/udev_rule.h"
#include "checks/devices/udev_simulation.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<UdevRule> parse(std::string_view text) {
  std::vector<std::uint32_t> bad_lines;
  auto rules = parse_udev_rules(text, bad_lines);
  EXPECT_THAT(bad_lines, IsEmpty());
  return rules;
}

const UdevDevice& device(std::string_view path) {
  for (const auto& one : udev_gpu_devices()) {
    if (one.path == path) return one;
  }
  throw std::runtime_error("no such device");
}

// Lines of the rules that take effect; '?' where it is not certain.
std::vector<std::string> effects(std::string_view text, std::string_view path) {
  const auto rules = parse(text);
  std::vector<std::string> out;
  for (const auto& effect : run_udev_rules(rules, device(path)))
    out.push_back(std::to_string(effect.rule->line) + (effect.certainty == Certainty::kYes ? "" : "?"));
  return out;
}

TEST(UdevRules, ReadsTokens) {
  const auto rules = parse("# c\nKERNEL==\"a|b\", ATTR{x/y}!=\"\\\"1\" MODE := \"0660\"\n\n");
  ASSERT_EQ(rules.size(), 1U);
  EXPECT_EQ(rules[0].line, 2U);
  EXPECT_THAT(rules[0].tokens, ElementsAre(UdevToken{"KERNEL", "", "==", "a|b"}, UdevToken{"ATTR", "x/y", "!=", "\"1"},
                                           UdevToken{"MODE", "", ":=", "0660"}));
}

TEST(UdevRules, JoinsLinesAndPassesOverCommentsBetween) {
  const auto rules = parse("A==\"1\", \\\r\n# c\n  B=\"2\"\nC=e\"3\"\\");
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules[0].tokens.size(), 2U);
  EXPECT_EQ(rules[1].line, 4U);
}

TEST(UdevRules, NamesLinesThatMakeNoSense) {
  std::vector<std::uint32_t> bad_lines;
  EXPECT_THAT(parse_udev_rules("A\nA==\"x\nA{=\"x\"\n=\"x\"\nA-\"1\"\n", bad_lines), IsEmpty());
  EXPECT_THAT(bad_lines, ElementsAre(1, 2, 3, 4, 5));
}

TEST(UdevSimulation, MatchesByNameAndSubsystem) {
  EXPECT_THAT(
      effects("KERNEL==\"kfd\", MODE=\"1\"\nSUBSYSTEM==\"drm\", MODE=\"1\"\nKERNEL!=\"k*\", MODE=\"1\"\n", "/dev/kfd"),
      ElementsAre("1"));
  EXPECT_THAT(effects("ACTION==\"remove\", MODE=\"1\"\nACTION==\"add|change\", MODE=\"1\"\n", "/dev/kfd"),
              ElementsAre("2"));
  EXPECT_THAT(effects("ENV{ID_X}==\"1\", MODE=\"1\"\nKERNEL==\"kfd\", ENV{ID_X}==\"1\"\nATTRS{vendor}==\"0x1002\"\n",
                      "/dev/kfd"),
              ElementsAre("2?", "3?"));
}

TEST(UdevSimulation, FollowsJumps) {
  EXPECT_THAT(effects("KERNEL!=\"kfd\", GOTO=\"e\"\nMODE=\"1\"\nLABEL=\"e\"\n", "/dev/dri/card0"),
              ElementsAre("1", "3"));
  EXPECT_THAT(effects("ENV{X}==\"1\", GOTO=\"e\"\nKERNEL==\"kfd\", MODE=\"1\"\nLABEL=\"e\", MODE=\"2\"\n", "/dev/kfd"),
              ElementsAre("2?", "3"));
  EXPECT_THAT(effects("GOTO=\"nowhere\"\nMODE=\"1\"\n", "/dev/kfd"), ElementsAre("1"));
}

TEST(UdevRulesProbe, TellsConditionsProgramsAndFiles) {
  Capture capture;
  capture.file("/run/udev/rules.d/1.rules", "KERNEL==\"nvidia[0-9]*\", RUN+=\"hook a\", GROUP=\"gpu\"\n")
      .file("/usr/lib/udev/rules.d/1.rules", "KERNEL==\"kfd\", MODE=\"0666\"\n")
      .file("/usr/lib/udev/hook", "");
  const auto table = read_table(*capture.open(), "udev_rules");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("gpu_nodes"), R"(["/dev/nvidia0"])");
  EXPECT_EQ(table.rows[0].at("program_path"), "/usr/lib/udev/hook");
  EXPECT_EQ(table.rows[0].at("group"), "gpu");
}

TEST(UdevGpuNodesProbe, AGroupAloneMeans0660) {
  Capture capture;
  capture.file("/etc/udev/rules.d/1.rules", "KERNEL==\"kfd\", GROUP=\"render\"\nKERNEL==\"card*\", MODE=\"$x\"\n");
  const auto table = read_table(*capture.open(), "udev_gpu_nodes");
  EXPECT_EQ(table.where("path", "/dev/kfd").at("mode"), "432");
  EXPECT_EQ(table.where("path", "/dev/dri/card0").at("mode"), "NULL");
  EXPECT_EQ(table.where("path", "/dev/dri/card0").at("uncertain"), "1");
}

}  // namespace
}  // namespace gpuharden::test
