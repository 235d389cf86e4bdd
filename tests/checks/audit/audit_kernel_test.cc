// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's own audit: rules of our own keys are loaded by libaudit, read back by the table and taken away.
// Changes kernel state: only with GPUHARDEN_HOST_KERNEL=1, when audit is off and no daemon runs. Nothing is
// ever switched on or locked.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/native/audit.h"
#include "tests/support/audit_kernel.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

// The library alone, without its development package: it comes with PAM on every target.
class LibAudit {
 public:
  LibAudit() : handle_(::dlopen("libaudit.so.1", RTLD_NOW)) {
    if (handle_ == nullptr) return;
    load(add_rule_, "audit_add_rule_data");
    load(delete_rule_, "audit_delete_rule_data");
    load(fieldpair_, "audit_rule_fieldpair_data");
    load(syscall_, "audit_rule_syscallbyname_data");
    load(watch_, "audit_add_watch_dir");
    load(perms_, "audit_update_watch_perms");
    if (is_whole_) fd_ = UniqueFd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_AUDIT));
  }
  LibAudit(const LibAudit&) = delete;
  LibAudit& operator=(const LibAudit&) = delete;
  // Every rule that was added goes, whatever the test came to.
  ~LibAudit() {
    for (auto* rule : added_) {
      delete_rule_(fd_.get(), rule, AUDIT_FILTER_EXIT, static_cast<int>(rule->action));
      std::free(rule);  // NOLINT: the library allocates by malloc
    }
    if (handle_ != nullptr) ::dlclose(handle_);
  }

  bool is_usable() const { return handle_ != nullptr && is_whole_ && fd_; }

  int watch(std::string_view path, int type, int perms, std::string_view key) {
    audit_rule_data* rule = nullptr;
    if (watch_(type, &rule, std::string(path).c_str()) != 0) return -1;
    perms_(rule, perms);
    return add(rule, {"key=" + std::string(key)}, AUDIT_ALWAYS);
  }
  int calls(const std::vector<std::string>& fields, const std::vector<std::string>& names, int action) {
    auto* rule = static_cast<audit_rule_data*>(std::calloc(1, sizeof(audit_rule_data)));  // NOLINT
    std::vector<std::string> before(fields.begin(), fields.begin() + 1);
    for (auto& field : before) fieldpair_(&rule, field.data(), AUDIT_FILTER_EXIT);
    for (const auto& name : names) syscall_(rule, name.c_str());
    return add(rule, std::vector<std::string>(fields.begin() + 1, fields.end()), action);
  }

 private:
  template <typename Function>
  void load(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(handle_, name));
    is_whole_ = is_whole_ && function != nullptr;
  }
  // The library writes into the text of a condition.
  int add(audit_rule_data* rule, std::vector<std::string> fields, int action) {
    for (auto& field : fields) {
      if (fieldpair_(&rule, field.data(), AUDIT_FILTER_EXIT) != 0) return -2;
    }
    rule->flags = AUDIT_FILTER_EXIT;
    rule->action = static_cast<std::uint32_t>(action);
    const int sequence = add_rule_(fd_.get(), rule, AUDIT_FILTER_EXIT, action);
    if (sequence > 0) added_.push_back(rule);
    return sequence;
  }

  void* handle_;
  bool is_whole_ = true;
  UniqueFd fd_;
  std::vector<audit_rule_data*> added_;
  int (*add_rule_)(int, audit_rule_data*, int, int) = nullptr;
  int (*delete_rule_)(int, audit_rule_data*, int, int) = nullptr;
  int (*fieldpair_)(audit_rule_data**, char*, int) = nullptr;
  int (*syscall_)(audit_rule_data*, const char*) = nullptr;
  int (*watch_)(int, audit_rule_data**, const char*) = nullptr;
  int (*perms_)(audit_rule_data*, int) = nullptr;
};

class AuditKernel : public testing::Test {
 protected:
  void SetUp() override {
    const auto reason = reason_to_leave_audit_alone();
    if (!reason.empty()) GTEST_SKIP() << reason;
    lock_ = lock_audit();
    ASSERT_TRUE(lock_);
    if (!library_.is_usable()) GTEST_SKIP() << "libaudit.so.1 cannot be had here";
    std::filesystem::create_directory(folder_.path() + "/real");
    std::ofstream(folder_.path() + "/real/tool") << "x";
    std::filesystem::create_symlink("real/tool", folder_.path() + "/link");
  }

  std::vector<RowText> own_rows(const TableText& table) const {
    std::vector<RowText> rows;
    for (const auto& row : table.rows) {
      if (row.at("key").starts_with("gpuharden-test")) rows.push_back(row);
    }
    return rows;
  }
  static TableText read_live(std::string_view table, std::vector<Argument> arguments = {}) {
    const auto host = open_live_host();
    return read_table(**host, table, std::move(arguments));
  }

  UniqueFd lock_;
  TemporaryFolder folder_;
  LibAudit library_;
};

TEST_F(AuditKernel, RulesComeBackAsTheyWereLoaded) {
  const auto& folder = folder_.path();
  ASSERT_GT(library_.watch(folder + "/real", AUDIT_DIR, AUDIT_PERM_WRITE | AUDIT_PERM_ATTR, "gpuharden-test1"), 0);
  ASSERT_GT(library_.watch(folder + "/link", AUDIT_WATCH, AUDIT_PERM_EXEC, "gpuharden-test2"), 0);
  ASSERT_GT(
      library_.calls({"arch=b64", "auid>=1000", "key=gpuharden-test3"}, {"init_module", "delete_module"}, AUDIT_ALWAYS),
      0);
  const auto rows = own_rows(read_live("audit_rules"));
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].at("text"), "-w " + folder + "/real -p wa -k gpuharden-test1");
  EXPECT_EQ(rows[0].at("is_folder"), "1");
  EXPECT_EQ(rows[0].at("problem"), "NULL");
  EXPECT_EQ(rows[0].at("in_other"), "0");
  EXPECT_EQ(rows[1].at("problem"), "link");
  EXPECT_EQ(rows[2].at("filters"), R"(["auid>=1000"])");
  EXPECT_THAT(rows[2].at("syscalls"), testing::HasSubstr("delete_module"));
}

TEST_F(AuditKernel, CoverageIsThatOfTheRealPath) {
  const auto& folder = folder_.path();
  ASSERT_GT(library_.watch(folder + "/link", AUDIT_WATCH, AUDIT_PERM_EXEC, "gpuharden-test4"), 0);
  const std::string asked = "[\"" + folder + "/link\"]";
  EXPECT_EQ(read_live("audit_paths", {{"asked", asked}}).where("source", "kernel").at("perms"), "");
  ASSERT_GT(library_.watch(folder + "/real/tool", AUDIT_WATCH, AUDIT_PERM_EXEC, "gpuharden-test5"), 0);
  EXPECT_EQ(read_live("audit_paths", {{"asked", asked}}).where("source", "kernel").at("perms"), "x");
}

TEST_F(AuditKernel, NothingIsLeftBehind) {
  EXPECT_TRUE(own_rows(read_live("audit_rules")).empty());
  EXPECT_EQ(read_live("audit_status").rows[0].at("enabled"), "0");
}

}  // namespace
}  // namespace gpuharden::test
