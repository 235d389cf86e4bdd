// SPDX-License-Identifier: GPL-2.0-or-later
// Who is taken out of a group, and who never is: somebody must be left who can get in and become root.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apply/drafted_machine.h"

namespace gpuharden::test {
namespace {
using testing::Contains;
using testing::HasSubstr;

class GroupRemoveMember : public testing::Test, public DraftedMachine {
 protected:
  GroupRemoveMember() {
    capture_.file("/etc/passwd",
                  "root:x:0:0::/root:/bin/bash\nann:x:1000:1000::/home/ann:/bin/bash\n"
                  "bob:x:1001:1001::/home/bob:/bin/bash\nsvc:x:900:900::/:/usr/sbin/nologin\n");
    capture_.file("/etc/group", "sudo:x:27:ann,bob,svc\nvideo:x:44:ann\nops:x:50:ann,svc\n");
  }
  Status plan(const std::string& group, const std::string& user) {
    return DraftedMachine::plan("group_remove_member", {{"group", group}, {"user", user}});
  }
};

TEST_F(GroupRemoveMember, AGroupOfDevicesIsNoWayIn) {
  ASSERT_TRUE(plan("video", "ann"));
  EXPECT_THAT(draft_->risks(), testing::IsEmpty());
}

TEST_F(GroupRemoveMember, AnAdministratorIsARiskOfLockout) {
  ASSERT_TRUE(plan("sudo", "ann"));
  EXPECT_THAT(draft_->risks(), testing::ElementsAre(Risk::kLockout));
  EXPECT_THAT(draft_->reasons(), Contains("ann becomes root by the group sudo"));
}

TEST_F(GroupRemoveMember, TheLastAdministratorStays) {
  ASSERT_TRUE(plan("sudo", "ann"));
  const auto last = plan("sudo", "bob");
  ASSERT_FALSE(last);
  EXPECT_THAT(last.error().message, HasSubstr("nobody else who logs in would be left in sudo"));
  EXPECT_EQ(draft_->steps().size(), 1U);
}

TEST_F(GroupRemoveMember, SudoersSaysWhoseMembersBecomeRoot) {
  capture_.file("/etc/sudoers.d/ops", "User_Alias OPS = %opsx, %ops\nOPS ALL=(ALL) ALL\n");
  EXPECT_FALSE(plan("ops", "ann"));
  EXPECT_TRUE(plan("video", "ann"));
}

TEST_F(GroupRemoveMember, AnotherGroupOfALikeNameIsNotTheOne) {
  capture_.file("/etc/sudoers", "# %ops is gone\n%opsx ALL=(ALL) ALL\n");
  ASSERT_TRUE(plan("ops", "ann"));
  EXPECT_THAT(draft_->risks(), testing::IsEmpty());
}

TEST_F(GroupRemoveMember, SshdLetsPeopleInByGroups) {
  capture_.file("/etc/ssh/sshd_config", "AllowGroups vid*\n");
  ASSERT_TRUE(plan("video", "ann"));
  EXPECT_THAT(draft_->risks(), testing::ElementsAre(Risk::kLockout));
  EXPECT_THAT(draft_->reasons(), Contains("sshd lets people in by the group video"));
}

}  // namespace
}  // namespace gpuharden::test
