// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/slurm/slurm_conf.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

std::string settings(std::string_view text) {
  std::string out;
  for (const auto& setting : parse_slurm_conf(text).settings) {
    out += setting.key + "=" + setting.value + "@" + std::to_string(setting.line) + " ";
  }
  return out;
}

TEST(SlurmConf, ReadsWhatTheManualPageShows) {
  EXPECT_EQ(settings("# a comment\nConstrainDevices=yes\n"), "ConstrainDevices=yes@2 ");
  EXPECT_EQ(settings("TaskPlugin = task/affinity,task/cgroup # both\n"), "TaskPlugin=task/affinity,task/cgroup@1 ");
  EXPECT_EQ(settings("NodeName=n[1-4] Gres=gpu:8 \\\n  State=UNKNOWN\nSlurmUser=slurm\n"),
            "NodeName=n[1-4]@1 Gres=gpu:8@1 State=UNKNOWN@1 SlurmUser=slurm@3 ");
  EXPECT_EQ(settings("Comment=\"two words\" X=1\n"), "Comment=two words@1 X=1@1 ");
}

TEST(SlurmConf, KeepsIncludesApart) {
  const auto conf = parse_slurm_conf("include  /etc/slurm/nodes.conf\nINCLUDE b.conf # more\n");
  ASSERT_EQ(conf.includes.size(), 2U);
  EXPECT_EQ(conf.includes[0].value, "/etc/slurm/nodes.conf");
  EXPECT_EQ(conf.includes[1].value, "b.conf");
}

TEST(SlurmConf, TakesHostileBytes) {
  EXPECT_EQ(settings(std::string_view("\0=\0\n====\n\\\n\\", 12)).empty(), false);
  EXPECT_EQ(settings("\"no end of the quotes = 1\n"), "\"no end of the quotes=1@1 ");
}

TEST(SlurmConfigProbe, FollowsIncludesAndTakesOneFolder) {
  Capture capture;
  capture.file("/etc/slurm/slurm.conf", "Include more.conf\n")
      .file("/etc/slurm/more.conf", "ProctrackType=proctrack/cgroup\n");
  capture.file("/run/slurm/conf/cgroup.conf", "ConstrainDevices=no\n");
  const auto host = capture.open();
  const auto table = read_table(*host, "slurm_config");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.where("key", "proctracktype").at("file"), "/etc/slurm/more.conf");
}

TEST(SlurmConfigProbe, WhatCannotBeReadIsAGap) {
  Capture capture;
  capture.file("/etc/slurm/slurm.conf", "Include missing.conf\nInclude nodes.%h\n").file("/etc/slurm/cgroup.conf", "");
  capture.yaml("paths: {/etc/slurm/cgroup.conf: {error: permission}}");
  const auto host = capture.open();
  EXPECT_EQ(read_table(*host, "slurm_config").gaps.size(), 3U);
}

}  // namespace
}  // namespace gpuharden::test
