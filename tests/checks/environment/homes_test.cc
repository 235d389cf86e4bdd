// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/homes.h"

#include <gtest/gtest.h>

#include "tests/support/capture.h"

namespace gpuharden {
namespace {

constexpr std::string_view kPasswd = "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n";

TEST(Homes, SayWhatTheyMayHold) {
  test::Capture capture;
  capture.file("/etc/passwd", kPasswd).file("/home/ann/.bashrc", "x").file("/home/ann/.config/pip/pip.conf", "x");
  const auto host = capture.open();
  const auto homes = find_homes(host->files());
  ASSERT_EQ(homes.homes.size(), 1U);
  EXPECT_TRUE(may_hold(homes.homes[0], ".bashrc"));
  EXPECT_TRUE(may_hold(homes.homes[0], ".config/fish/config.fish"));
  EXPECT_FALSE(may_hold(homes.homes[0], ".profile"));
  EXPECT_FALSE(may_hold(homes.homes[0], ".ssh/rc"));
}

TEST(Homes, MayHoldWhatCannotBeLooked) {
  test::Capture capture;
  capture.file("/etc/passwd", kPasswd).file("/home/ann/.bashrc", "x");
  capture.yaml("paths: {/home/ann/.ssh/rc: {error: permission}, /home/ann/.profile: {error: io}}");
  const auto host = capture.open();
  const auto homes = find_homes(host->files());
  ASSERT_EQ(homes.homes.size(), 1U);
  EXPECT_TRUE(may_hold(homes.homes[0], ".ssh/rc"));
  EXPECT_TRUE(may_hold(homes.homes[0], ".profile"));
}

TEST(Homes, MayHoldAnythingWhereTheyCannotBeListed) {
  Home home{"ann", 1000, "/home/ann", std::nullopt};
  EXPECT_TRUE(may_hold(home, ".profile"));
  home.names.emplace();
  EXPECT_FALSE(may_hold(home, ".profile"));
}

TEST(Homes, WithThousandsOfFilesAreLookedAtOneByOne) {
  test::Capture capture;
  capture.file("/etc/passwd", kPasswd);
  for (int i = 0; i < 1001; ++i) capture.file("/home/ann/file" + std::to_string(i), "");
  const auto host = capture.open();
  EXPECT_TRUE(may_hold(find_homes(host->files()).homes.at(0), ".profile"));
}

}  // namespace
}  // namespace gpuharden
