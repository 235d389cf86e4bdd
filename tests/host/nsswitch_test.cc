// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/nsswitch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuharden {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ParseNsswitch, LeavesActionsAndCommentsOut) {
  const std::string_view text = "# group: nis\npasswd: files sss\ngroup:\tfiles [ SUCCESS = merge ] sss # winbind\n";
  EXPECT_THAT(parse_nsswitch(text, "group"), ElementsAre("files", "sss"));
  EXPECT_THAT(parse_nsswitch(text, "passwd"), ElementsAre("files", "sss"));
  EXPECT_THAT(parse_nsswitch(text, "shadow"), IsEmpty());
}

TEST(IsDirectorySource, TakesWhatItDoesNotKnowForOne) {
  EXPECT_FALSE(is_directory_source("files"));
  EXPECT_FALSE(is_directory_source("systemd"));
  EXPECT_TRUE(is_directory_source("winbind"));
  EXPECT_TRUE(is_directory_source("extrausers"));
}

}  // namespace
}  // namespace gpuharden
