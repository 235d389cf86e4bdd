// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(AuditRulesProbe, ReadsTheKernelsRules) {
  Capture capture;
  capture.folder("/etc/systemd/system")
      .yaml(
          "audit: {rules: ['-w /etc/systemd/system -p wa -k unit', '-a always,exit -F arch=b64 -S finit_module,"
          "init_module -F auid>=1000 -F success=1 -F key=kmod', '-a never,task -F uid=7']}");
  const auto table = read_table(*capture.open(), "audit_rules");
  ASSERT_EQ(table.rows.size(), 3U);
  const auto& watch = table.rows[0];
  EXPECT_EQ(watch.at("text"), "-w /etc/systemd/system -p wa -k unit");
  EXPECT_EQ(watch.at("is_folder"), "1");
  EXPECT_EQ(watch.at("perms"), "wa");
  EXPECT_EQ(watch.at("syscalls"), "[]");
  EXPECT_EQ(watch.at("effective"), "1");
  EXPECT_EQ(watch.at("in_other"), "0");
  const auto& calls = table.rows[1];
  EXPECT_EQ(calls.at("arch"), "b64");
  EXPECT_EQ(calls.at("syscalls"), R"(["init_module","finit_module"])");
  EXPECT_EQ(calls.at("filters"), R"(["auid>=1000"])");
  EXPECT_EQ(table.rows[2].at("list"), "task");
  EXPECT_THAT(table.gaps, IsEmpty());
}

TEST(AuditBootRulesProbe, GoesThroughTheFilesAsAugenrulesDoes) {
  Capture capture;
  capture.file("/etc/audit/rules.d/2.rules", "-w /etc/two -p wa\n")
      .file("/etc/audit/rules.d/10.rules", "-w /etc/ten -p wa")
      .file("/etc/audit/rules.d/11.rules", "0\n-e 1\n-w /etc/eleven -p wa\n")
      .file("/etc/audit/rules.d/.hidden.rules", "-w /etc/hidden\n")
      .file("/etc/audit/rules.d/x.rules.bak", "-w /etc/backup\n")
      .file("/etc/audit/audit.rules", "-w /etc/old\n")
      .yaml("audit: {}");
  const auto host = capture.open();
  const auto table = read_table(*host, "audit_boot_rules");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0].at("path"), "/etc/two");
  // A last line without a newline runs into the next file.
  EXPECT_EQ(table.rows[1].at("text"), "-w /etc/ten -p wa0");
  EXPECT_EQ(table.rows[1].at("problem"), "syntax");
  EXPECT_EQ(table.rows[2].at("problem"), "unreached");
  const auto status = read_table(*host, "audit_status").rows[0];
  EXPECT_EQ(status.at("boot_source"), "rules.d");
  EXPECT_EQ(status.at("boot_stop_file"), "/etc/audit/rules.d/10.rules");
  EXPECT_EQ(status.at("boot_stop_line"), "1");
  EXPECT_EQ(status.at("boot_rule_count"), "1");
}

TEST(AuditBootRulesProbe, TakesTheFileThatTheUnitNames) {
  Capture capture;
  capture.file("/etc/audit/rules.d/x.rules", "-w /etc/new -p wa\n")
      .file("/etc/audit/audit.rules", "-w /etc/old -p wa\n")
      .file("/etc/systemd/system/auditd.service",
            "[Service]\n#ExecStartPost=-/sbin/augenrules --load\nExecStartPost=-/sbin/auditctl -R "
            "/etc/audit/audit.rules\n")
      .yaml("audit: {}");
  const auto table = read_table(*capture.open(), "audit_boot_rules");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("path"), "/etc/old");
}

TEST(AuditBootRulesProbe, KnowsWhyRulesAreNotLoaded) {
  Capture capture;
  capture.file("/etc/passwd", "root:x:0:0::/root:/bin/sh\n")
      .file("/etc/group", "root:x:0:\n")
      .file("/usr/bin/kmod", "x")
      .link("/usr/sbin/lsmod", "../bin/kmod")
      .link("/sbin", "usr/sbin")
      .file("/etc/audit/audit.rules",
            "-c\n-w /etc/first -p wa\n-D\n-w /etc/passwd -p wa\n-w /nowhere/x\n-a always,exit -F path=/etc/passwd -F "
            "perm=aw\n"
            "-w /sbin/lsmod -p x\n-d always,exit -F path=/etc/passwd -F perm=wa\n-e 2\n-w /etc/late -p wa\n")
      .yaml("audit: {}");
  const auto table = read_table(*capture.open(), "audit_boot_rules");
  std::vector<std::string> words;
  for (const auto& row : table.rows) words.push_back(row.at("line") + " " + row.at("problem"));
  EXPECT_THAT(words, ElementsAre("2 deleted", "4 deleted", "5 no-folder", "6 duplicate", "7 link", "10 locked"));
  EXPECT_EQ(table.where("line", "7").at("real_path"), "/usr/sbin/lsmod");
}

TEST(AuditRulesProbe, DoesNotKnowWhatIsUnreadable) {
  Capture capture;
  capture.file("/etc/audit/rules.d/x.rules", "-w /etc/passwd -p wa\n")
      .file("/etc/audit/rules.d/y.rules", "")
      .yaml("audit: permission\npaths: {/etc/audit/rules.d/y.rules: {error: permission}}");
  const auto host = capture.open();
  const auto table = read_table(*host, "audit_rules");
  EXPECT_TRUE(table.rows.empty());
  EXPECT_THAT(table.gap_words(), ElementsAre("* * permission"));
  const auto boot = read_table(*host, "audit_boot_rules");
  EXPECT_EQ(boot.rows.size(), 1U);
  EXPECT_THAT(boot.gap_words(), ElementsAre("* * permission", "* in_other permission"));
  const auto status = read_table(*host, "audit_status").rows[0];
  EXPECT_EQ(status.at("enabled"), "UNREAD");
  EXPECT_EQ(status.at("rule_count"), "UNREAD");
}

TEST(AuditBootRulesProbe, SurvivesHostileBytes) {
  Capture capture;
  std::string bytes("-w \xff\xfe\n-a always,exit -F \0=\0\n-S\n-F\n-k ", 37);
  bytes += std::string(100000, 'x') + "\n-i\n" + std::string(3000, '-');
  capture.file("/etc/audit/rules.d/x.rules", bytes).yaml("audit: {}");
  const auto table = read_table(*capture.open(), "audit_boot_rules");
  ASSERT_FALSE(table.rows.empty());
  EXPECT_EQ(table.rows[0].at("problem"), "syntax");
}

TEST(AuditBootRulesProbe, IsLinearInTheRules) {
  // C185: a script of many watches, then the one that counts.
  std::string text = "-i\n";
  for (int i = 0; i < 10000; ++i) text += "-w /srv/f" + std::to_string(i) + " -p wa -k k\n";
  text += "-w /etc/passwd -p wa -k identity\n-e 2\n";
  Capture capture;
  capture.file("/etc/passwd", "").folder("/srv").file("/etc/audit/rules.d/x.rules", text).yaml("audit: {}");
  const auto host = capture.open();
  EXPECT_EQ(read_table(*host, "audit_boot_rules").rows.size(), 10001U);
  const auto paths = read_table(*host, "audit_paths", {{"asked", R"(["/etc/passwd"])"}});
  EXPECT_EQ(paths.where("source", "boot").at("perms"), "wa");
}

TEST(AuditPathsProbe, TellsWhatIsRecorded) {
  Capture capture;
  capture.file("/etc/sudoers.d/x", "")
      .file("/etc/group", "")
      .link("/etc/mtab", "/proc/mounts")
      .yaml(
          "audit: {rules: ['-a always,exit -F arch=b64 -F dir=/etc/sudoers.d/ -F perm=w', '-w /etc/mtab -p wa',"
          " '-a always,exit -F dir=/etc -F perm=wa -F auid>=1000']}");
  const auto host = capture.open();
  const auto table = read_table(*host, "audit_paths", {{"asked", R"(["/etc/sudoers.d/x","/etc/mtab","/etc/new"])"}});
  ASSERT_EQ(table.rows.size(), 6U);
  const auto& file = table.where("path", "/etc/sudoers.d/x");
  EXPECT_EQ(file.at("perms"), "w");
  EXPECT_EQ(file.at("perms32"), "");
  EXPECT_EQ(file.at("filtered"), "wa");
  const auto& link = table.where("path", "/etc/mtab");
  EXPECT_EQ(link.at("perms"), "");
  EXPECT_EQ(link.at("dead_rule"), "-w /etc/mtab -p wa");
  EXPECT_EQ(link.at("type"), "NULL");
  EXPECT_EQ(table.where("path", "/etc/new").at("filtered"), "wa");
}

TEST(AuditPathsProbe, RefusesWhatIsNoList) {
  Capture capture;
  capture.yaml("audit: {}");
  const auto host = capture.open();
  EXPECT_THAT(read_table(*host, "audit_paths", {{"asked", "/etc"}}).gap_words(), ElementsAre("* * malformed"));
  EXPECT_THAT(read_table(*host, "audit_calls", {{"asked", "[1]"}}).gap_words(), ElementsAre("* * malformed"));
}

TEST(AuditCallsProbe, KnowsBothKindsOfPrograms) {
  Capture capture;
  capture.yaml(
      "audit: {rules: ['-a never,exit -F arch=b64 -S delete_module', '-a always,exit -F arch=b64 -S "
      "finit_module,delete_module', '-a always,exit -F arch=b32 -S finit_module -F auid!=-1']}");
  const auto table =
      read_table(*capture.open(), "audit_calls", {{"asked", R"(["finit_module","delete_module","umount"])"}});
  std::vector<std::string> kernel;
  for (const auto& row : table.rows) {
    if (row.at("source") == "kernel")
      kernel.push_back(row.at("call") + " " + row.at("arch") + " " + row.at("recorded"));
  }
  EXPECT_THAT(kernel, ElementsAre("finit_module b64 1", "finit_module b32 0", "delete_module b64 0",
                                  "delete_module b32 0", "umount b32 0"));
}

TEST(AuditStatusProbe, ReadsStateAndFiles) {
  Capture capture;
  capture.file("/etc/audit/rules.d/10.rules", "-D\n-b 8192\n-f 2\n")
      .file("/etc/audit/rules.d/15.rules", "-e 2\n-b 320\n")
      .file("/etc/audit/rules.d/99.rules", "-e 1\n")
      .yaml("audit: {status: {enabled: 2, pid: 910, lost: 3}}");
  const auto row = read_table(*capture.open(), "audit_status").rows[0];
  EXPECT_EQ(row.at("enabled"), "2");
  EXPECT_EQ(row.at("pid"), "910");
  EXPECT_EQ(row.at("lost"), "3");
  EXPECT_EQ(row.at("boot_enabled"), "1");
  EXPECT_EQ(row.at("boot_backlog_limit"), "320");
  EXPECT_EQ(row.at("boot_failure_line"), "3");
}

TEST(AuditStatusProbe, KnowsAKernelWithoutAudit) {
  Capture capture;
  capture.yaml("audit: none");
  const auto table = read_table(*capture.open(), "audit_status");
  EXPECT_EQ(table.rows[0].at("supported"), "0");
  EXPECT_EQ(table.rows[0].at("enabled"), "NULL");
  EXPECT_THAT(table.gaps, IsEmpty());
}

TEST(AuditdConfigProbe, ReadsTheLastOfEachSetting) {
  Capture capture;
  capture.file("/etc/audit/auditd.conf", "## x\nlog_file = /var/log/a b\nFlush=none\nflush = sync\nbroken\n");
  const auto table = read_table(*capture.open(), "auditd_config");
  EXPECT_EQ(table.where("name", "flush").at("value"), "sync");
  EXPECT_EQ(table.where("name", "log_file").at("value"), "/var/log/a b");
  EXPECT_THAT(table.gap_words(), ElementsAre("* * malformed"));
}

}  // namespace
}  // namespace gpuharden::test
