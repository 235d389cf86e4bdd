// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/containers/toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

std::string settings(std::string_view text) {
  std::string out;
  const auto toml = parse_toml(text);
  for (const auto& setting : toml.settings) {
    out += setting.name + "=" + setting.value + "@" + std::to_string(setting.line) + " ";
  }
  for (const auto fault : toml.faults) out += "!" + std::to_string(fault);
  return out;
}

TEST(Toml, NamesSettingsWithTheirTable) {
  EXPECT_EQ(settings("a = true # b\n\n[t]\n  b-c = \"x # y\"\n[t.u]\nd.e = 'f'\r\n"),
            "a=true@1 t.b-c=x # y@4 t.u.d.e=f@6 ");
  EXPECT_EQ(settings("[\"a b\"]\nx=1"), "a b.x=1@2 ");
}

TEST(Toml, ACommentSetsNothing) { EXPECT_EQ(settings("#no-cgroups = true\n  # a = 1\n"), ""); }

TEST(Toml, ReadsListsOverSeveralLines) {
  EXPECT_EQ(settings("runtimes = [\n  \"runc\", # first\n  'crun',\n]\nx = []\n"), "runtimes=[runc, crun]@1 x=[]@5 ");
}

TEST(Toml, WhatItDoesNotUnderstandIsAFault) {
  EXPECT_EQ(settings("a\nb = true\n"), "b=true@2 !1");
  EXPECT_EQ(settings("a = true\na = false\n"), "a=true@1 !2");
  EXPECT_EQ(settings("[t]\n[t]\n"), "!2");
  EXPECT_EQ(settings("a = {b = 1}\n"), "!1");
  EXPECT_EQ(settings("a = \"\"\"x\ny\"\"\"\n"), "!1!2");
  EXPECT_EQ(settings("a = [1\n"), "!1");
  EXPECT_EQ(settings("a = yes\nb = true false\n"), "!1!2");
}

TEST(Toml, TakesHostileBytes) {
  EXPECT_NE(settings(std::string_view("\0=\0\n[\n]]\n\"\n'", 11)), "");
  EXPECT_EQ(settings(std::string(100000, '[')), "!1");
}

// C170: what is commented out is the default, and the permissive one.
TEST(NvidiaContainerConfigProbe, HasRowsForWhatIsWrittenDownAlone) {
  Capture capture;
  capture.file("/etc/nvidia-container-runtime/config.toml",
               "#accept-nvidia-visible-devices-envvar-when-unprivileged = true\ndisable-require = false\n\n"
               "[nvidia-container-cli]\nenvironment = []\n#no-cgroups = false\n");
  const auto table = read_table(*capture.open(), "nvidia_container_config");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.where("name", "nvidia-container-cli.environment").at("line"), "5");
  EXPECT_TRUE(table.gaps.empty());
}

TEST(NvidiaContainerConfigProbe, IsAGapWhenItCannotBeReadOrUnderstood) {
  Capture capture;
  capture.file("/etc/nvidia-container-runtime/config.toml", "no-cgroups\n");
  capture.file("/usr/local/nvidia/toolkit/.config/nvidia-container-runtime/config.toml", "");
  capture.yaml("paths: {/usr/local/nvidia/toolkit/.config/nvidia-container-runtime/config.toml: {error: permission}}");
  const auto table = read_table(*capture.open(), "nvidia_container_config");
  EXPECT_TRUE(table.rows.empty());
  EXPECT_EQ(table.gaps.size(), 2U);
}

TEST(NvidiaContainerConfigProbe, HasNoRowWithoutTheToolkit) {
  const auto table = read_table(*Capture().file("/etc/hostname", "a\n").open(), "nvidia_container_config");
  EXPECT_TRUE(table.rows.empty());
  EXPECT_TRUE(table.gaps.empty());
}

}  // namespace
}  // namespace gpuharden::test
