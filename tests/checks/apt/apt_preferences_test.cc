// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/apt_preferences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/apt/upgrade_origin.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {
using testing::ElementsAre;

AptPin only(std::string_view text) { return parse_apt_preferences(text).at(0); }

TEST(AptPreferences, ReadsReleaseAndOriginPins) {
  const auto pins = parse_apt_preferences(
      "Explanation: x\n\nPackage: a b*\nPin: release o=\"NVIDIA\", l=CUDA,a=x, n=noble\nPin-Priority: 600\n\n"
      "package: *\nPIN: origin \"host\"\npin-priority: -1 # no\n");
  ASSERT_EQ(pins.size(), 2U);
  EXPECT_THAT(pins[0].packages, ElementsAre("a", "b*"));
  EXPECT_EQ(pins[0].origin, "NVIDIA");
  EXPECT_EQ(pins[0].label, "CUDA");
  EXPECT_EQ(pins[0].codename, "noble");
  EXPECT_FALSE(pins[0].covers_all);
  EXPECT_EQ(pins[1].site, "host");
  EXPECT_EQ(pins[1].priority, -1);
  EXPECT_TRUE(pins[1].covers_all);
}

TEST(AptPreferences, KnowsEveryWayToMeanEverything) {
  for (const auto* name : {"*", "**", "/./", "/.*/", "src:*", "*:amd64", "bash *"})
    EXPECT_TRUE(only(std::string("Package: ") + name + "\nPin: version 1\nPin-Priority: 1\n").covers_all) << name;
  for (const auto* name : {"a*", "/^a/", "//x"})
    EXPECT_FALSE(only(std::string("Package: ") + name + "\nPin: version 1\nPin-Priority: 1\n").covers_all) << name;
}

TEST(AptPreferences, SaysWhatAptRefuses) {
  EXPECT_EQ(only("Pin: version 1\nPin-Priority: 1\n").fault, "it has no Package");
  EXPECT_EQ(only("Package: a\nPin-Priority: 1\n").fault, "it has no Pin");
  EXPECT_EQ(only("Package: a\nPin: version 1\nPin-Priority: 0\n").fault, "it has no Pin-Priority, or 0");
  EXPECT_EQ(only("Package: a\nPin: suite x\nPin-Priority: 5\n").fault, "its Pin is of no kind that apt knows");
  EXPECT_EQ(only("Package: a\nPin: version 1\nPin-Priority: 99999999999999999999\n").priority, std::nullopt);
}

TEST(AptPreferences, KnowsTheNamesOfFilesThatAptReads) {
  EXPECT_TRUE(is_apt_preferences_name("cuda-repository-pin-600"));
  EXPECT_TRUE(is_apt_preferences_name("a.pref"));
  EXPECT_FALSE(is_apt_preferences_name("a.pref.bak"));
  EXPECT_FALSE(is_apt_preferences_name("a~"));
}

TEST(UpgradeOrigin, ReadsBothForms) {
  const auto allowed = parse_allowed_origin("Debian:bookworm-security");
  EXPECT_EQ(allowed.origin, "Debian");
  EXPECT_EQ(allowed.archive, "bookworm-security");
  EXPECT_EQ(allowed.label, "*");
  EXPECT_EQ(parse_allowed_origin("http\\://x:stable").origin, "http://x");
  EXPECT_EQ(parse_allowed_origin("nothing").unknown, "nothing");
  const auto pattern = parse_origins_pattern("o=Debian, n=bookworm,label=A\\,B,suite=s,site=h");
  EXPECT_EQ(pattern.codename, "bookworm");
  EXPECT_EQ(pattern.label, "A,B");
  EXPECT_EQ(pattern.archive, "s");
  EXPECT_EQ(pattern.site, "h");
  EXPECT_EQ(parse_origins_pattern("x=y").unknown, "x=y");
  EXPECT_EQ(expand_distro("${distro_id}:${distro_codename}-${x}${distro_id}", "Debian", "sid"),
            "Debian:sid-${x}Debian");
}

TEST(UnattendedUpgradesProbe, ReadsListsInTheirLastState) {
  Capture capture;
  capture.file("/etc/os-release", "ID=ubuntu\nVERSION_CODENAME=noble\n")
      .file("/etc/apt/apt.conf.d/50u",
            "Unattended-Upgrade::Allowed-Origins { \"a:b\"; };\n#clear Unattended-Upgrade;\n"
            "Unattended-Upgrade::Allowed-Origins { \"${distro_id}:${distro_codename}\"; };\n"
            "Unattended-Upgrade::Package-Blacklist { \"linux-\"; };\n");
  const auto table = read_table(*capture.open(), "unattended_upgrades");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.where("kind", "origin").at("pattern"), "Ubuntu:noble");
  EXPECT_EQ(table.where("kind", "blacklist").at("origin"), "NULL");
}

}  // namespace
}  // namespace gpuharden::test
