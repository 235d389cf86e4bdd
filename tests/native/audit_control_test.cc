// SPDX-License-Identifier: GPL-2.0-or-later
// Rules that are added to the kernel's audit and taken away again. What needs a kernel changes this machine's: only
// with GPUHARDEN_HOST_KERNEL=1, when audit is off and no daemon runs; own keys only, nothing is switched on or locked.
#include "engine/native/audit_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/audit.h>

#include <filesystem>
#include <fstream>

#include "engine/base/text.h"
#include "engine/host/kernel_control.h"
#include "tests/support/audit_kernel.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(LoadableAuditRule, AWatchOfAFolderIsOneForAllBelow) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/file") << "x";
  const auto of_folder = loadable_audit_rule(concat({"-w ", folder.path(), " -p wa -k x"}));
  ASSERT_TRUE(of_folder) << of_folder.error().message;
  EXPECT_EQ(of_folder->fields[0].field, std::uint32_t{AUDIT_DIR});
  const auto of_file = loadable_audit_rule(concat({"-w ", folder.path(), "/file -p wa -k x"}));
  EXPECT_EQ(of_file->fields[0].field, std::uint32_t{AUDIT_WATCH});
}

TEST(LoadableAuditRule, RefusesWhatTheKernelWould) {
  const std::vector<std::pair<std::string, ErrorCode>> lines = {
      {"-w /etc/passwd -p wz", ErrorCode::kMalformed},
      {"-D", ErrorCode::kMalformed},
      {"-e 2", ErrorCode::kMalformed},
      {"-d always,exit -S mount", ErrorCode::kMalformed},
      {"", ErrorCode::kMalformed},
      {"-a always,exit -F arch=b64 -S umount", ErrorCode::kMalformed},
      {"-a always,exit -F arch=b64 -S call_of_tomorrow", ErrorCode::kUnsupported},
      {"-a always,exit -F arch=b64 -S mount -F auid=nobody-here", ErrorCode::kUnsupported},
      {"-w /no/such/folder/file -p wa -k x", ErrorCode::kNotFound},
      {"-a always,exit -F dir=/no-such-folder -F perm=wa", ErrorCode::kNotFound}};
  for (const auto& [line, code] : lines) {
    const auto rule = loadable_audit_rule(line);
    ASSERT_FALSE(rule) << line;
    EXPECT_EQ(to_string(rule.error().code), to_string(code)) << line;
    EXPECT_THAT(rule.error().message, HasSubstr("\"" + line + "\""));
    EXPECT_FALSE(add_kernel_audit_rule(line)) << line;
  }
}

TEST(CanonicalAuditRule, IsWhatAuditctlShows) {
  EXPECT_EQ(canonical_audit_rule("-a exit,always -F dir=/etc -F perm=aw -k x").value(), "-w /etc -p wa -k x");
}

class AuditControl : public testing::Test {
 protected:
  void SetUp() override {
    const auto reason = reason_to_leave_audit_alone();
    if (!reason.empty()) GTEST_SKIP() << reason;
    lock_ = lock_audit();
    ASSERT_TRUE(lock_);
    before_ = loaded_audit_rules().value();
    std::ofstream(folder_.path() + "/file") << "x";
    rules_ = {canonical_audit_rule(concat({"-w ", folder_.path(), " -p wa -k gpuharden-test-c1"})).value(),
              canonical_audit_rule(concat({"-w ", folder_.path(), "/file -p x -k gpuharden-test-c2"})).value(),
              canonical_audit_rule("-a always,exit -F arch=b64 -S init_module,finit_module -F key=gpuharden-test-c3 "
                                   "-F key=gpuharden-test-c4")
                  .value(),
              canonical_audit_rule("-a always,exit -F arch=b32 -S delete_module -F auid>=1000 -F auid!=unset "
                                   "-F key=gpuharden-test-c5")
                  .value()};
  }
  // Every rule goes, whatever the test came to.
  void TearDown() override {
    if (!lock_) return;
    for (const auto& rule : rules_) EXPECT_TRUE(delete_kernel_audit_rule(rule)) << rule;
    EXPECT_EQ(loaded_audit_rules().value(), before_);
  }
  UniqueFd lock_;
  TemporaryFolder folder_;
  std::vector<std::string> before_, rules_;
};

TEST_F(AuditControl, RulesComeGoAndAreTheSame) {
  for (const auto& rule : rules_) {
    const auto added = add_kernel_audit_rule(rule);
    EXPECT_TRUE(added) << added.error().message;
    EXPECT_TRUE(add_kernel_audit_rule(rule)) << "twice: " << rule;
  }
  const auto loaded = loaded_audit_rules().value();
  EXPECT_EQ(loaded.size(), before_.size() + rules_.size());
  for (const auto& rule : rules_) EXPECT_THAT(loaded, Contains(rule));
  for (const auto& rule : rules_) EXPECT_TRUE(delete_kernel_audit_rule(rule));
  EXPECT_TRUE(delete_kernel_audit_rule(rules_[0])) << "twice";
  EXPECT_EQ(loaded_audit_rules().value(), before_);
}

// Its kind of watch can no longer be told by looking.
TEST_F(AuditControl, ARuleGoesAlsoWhenItsFolderIsGone) {
  const std::string inner = folder_.path() + "/inner";
  std::filesystem::create_directory(inner);
  rules_.push_back(canonical_audit_rule(concat({"-w ", inner, " -p wa -k gpuharden-test-c6"})).value());
  ASSERT_TRUE(add_kernel_audit_rule(rules_.back()));
  std::filesystem::rename(inner, folder_.path() + "/moved");
  EXPECT_TRUE(delete_kernel_audit_rule(rules_.back()));
  EXPECT_THAT(loaded_audit_rules().value(), Not(Contains(rules_.back())));
}

TEST_F(AuditControl, TheLiveKernelDoesWhatItIsTold) {
  const auto kernel = make_live_kernel();
  EXPECT_EQ(kernel->audit_status()->enabled, 0U);
  EXPECT_TRUE(kernel->prove_audit_rule(rules_[2]));
  EXPECT_EQ(kernel->audit_rules().value(), before_);
  EXPECT_TRUE(kernel->add_audit_rule(rules_[2]));
  EXPECT_THAT(kernel->audit_rules().value(), Contains(rules_[2]));
  EXPECT_TRUE(kernel->delete_audit_rule(rules_[2]));
  EXPECT_EQ(kernel->audit_rules().value(), before_);
}

}  // namespace
}  // namespace gpuharden::test
