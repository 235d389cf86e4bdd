// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/name_service.h"

#include <gtest/gtest.h>

namespace gpuharden {
namespace {

TEST(NameService, KnowsWhichSourcesAreDirectories) {
  EXPECT_TRUE(asks_a_directory("passwd: files\ngroup: files sss # directory\n", "group"));
  EXPECT_TRUE(asks_a_directory("group:ldap [NOTFOUND=return] files\n", "group"));
  EXPECT_FALSE(asks_a_directory("group: files systemd\npasswd: sss\n", "group"));
  EXPECT_FALSE(asks_a_directory("#group: sss\n", "group"));
  EXPECT_FALSE(asks_a_directory("group: files [SUCCESS=merge] systemd\n", "group"));
}

TEST(NameService, AsksByName) {
  NameService names;
  ASSERT_TRUE(names.start());
  const auto root = names.group("root");
  ASSERT_TRUE(root) << root.error().message;
  EXPECT_EQ(root->gid, 0U);
  EXPECT_EQ(names.group("no-such-group-here").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(names.group("root")->gid, 0U);
}

TEST(NameService, IsNotAskedWhenItWasNotStarted) {
  NameService names;
  EXPECT_EQ(names.group("root").error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace gpuharden
