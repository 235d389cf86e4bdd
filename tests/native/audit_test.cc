// SPDX-License-Identifier: GPL-2.0-or-later
// Messages of the kernel's audit, and the lines that auditctl reads. What is accepted and refused here was
// compared with auditctl 3.0.9 and a kernel, line by line.
#include "engine/native/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/audit.h>

#include "engine/native/audit_line.h"
#include "engine/native/audit_names.h"

namespace gpuharden {
namespace {

using Kind = AuditLine::Kind;

AuditWords words() {
  AuditWords words;
  words.machine = AUDIT_ARCH_X86_64;
  words.users = {{"root", 0}, {"chrony", 115}};
  words.groups = {{"render", 109}};
  return words;
}

AuditLine parse(std::string_view line) { return parse_audit_line(line, words()); }
std::string text_of(std::string_view line) { return audit_rule_text(parse(line).rule, AUDIT_ARCH_X86_64); }

TEST(AuditLine, ReadsAWatch) {
  const auto line = parse("  -w /etc/passwd/ -p aw -k identity -k more");
  ASSERT_EQ(line.kind, Kind::kRule) << line.error;
  EXPECT_TRUE(line.is_watch);
  ASSERT_EQ(line.rule.fields.size(), 3U);
  EXPECT_EQ(line.rule.fields[0].text, "/etc/passwd");
  EXPECT_EQ(line.rule.fields[1].value, std::uint32_t{AUDIT_PERM_WRITE | AUDIT_PERM_ATTR});
  EXPECT_EQ(line.rule.fields[2].text, "identity\x01more");
  EXPECT_TRUE(has_all_syscalls(line.rule.mask));
  EXPECT_EQ(text_of("-w /x"), "-w /x -p rwxa");
}

TEST(AuditLine, ReadsSystemCallsOfTheArchitecture) {
  const auto wide = parse("-a exit,always -F arch=b64 -S init_module,313 -F key=kmod");
  ASSERT_EQ(wide.kind, Kind::kRule) << wide.error;
  EXPECT_TRUE(has_syscall(wide.rule.mask, 175));
  EXPECT_TRUE(has_syscall(wide.rule.mask, 313));
  EXPECT_FALSE(has_all_syscalls(wide.rule.mask));
  EXPECT_TRUE(has_syscall(parse("-a always,exit -F arch=b32 -S init_module").rule.mask, 128));
  EXPECT_TRUE(has_syscall(parse("-a always,exit -F arch=b32 -S socket").rule.mask, 359));
}

TEST(AuditLine, ShowsRulesAsAuditctlDoes) {
  for (const std::string line :
       {"-w /etc/passwd -p wa -k identity", "-a never,task",
        "-a always,exit -F arch=b64 -S mount,umount2 -F auid>=1000 -F auid!=-1 -C uid!=auid -F key=mounts",
        "-a always,exit -F arch=b32 -S mount,umount -F exit=-13 -F key=a -F key=b",
        "-a always,exit -S all -F exe=/usr/bin/x"}) {
    EXPECT_EQ(text_of(line), line);
  }
  EXPECT_EQ(text_of("-a always,exit -F dir=/etc -F perm=wa -k etc"), "-w /etc -p wa -k etc");
}

TEST(AuditLine, ReadsSettings) {
  const auto line = parse("-b 8192 -f 1");
  EXPECT_EQ(line.kind, Kind::kControl);
  EXPECT_EQ(line.backlog_limit, 8192U);
  EXPECT_EQ(line.failure, 1U);
  EXPECT_EQ(parse("-e2").enabled, 2U);
  EXPECT_TRUE(parse("-D").deletes_all);
  EXPECT_FALSE(parse("-D -k x").deletes_all);
  EXPECT_TRUE(parse("-c").continues_on_error);
  EXPECT_TRUE(parse("-i").ignores_errors);
  EXPECT_EQ(parse("--backlog_wait_time 60000").kind, Kind::kControl);
  EXPECT_EQ(parse("   ").kind, Kind::kNothing);
  EXPECT_EQ(parse("  # -e 2").kind, Kind::kNothing);
  EXPECT_EQ(parse("-W /etc/passwd -p wa").kind, Kind::kRemoval);
}

TEST(AuditLine, RefusesWhatAuditctlOrTheKernelRefuses) {
  for (const auto* line : {"-w etc/passwd",
                           "-w\t/etc/passwd",
                           "-w /etc/passwd -p waz",
                           "-w /etc/hosts -k x # why",
                           "-k x -w /etc/passwd",
                           "-p wa -w /etc/passwd",
                           "-w /etc/shadow -k \"two words\"",
                           "-a exit -S open",
                           "-a always,entry -S open",
                           "-a always,exit -S openat -F arch=b64",
                           "-a always,exit -F arch=b64 -S umount",
                           "-a always,exit -F auid>=nobody1 -S open",
                           "-a always,exit -k x",
                           "-a always,exit -F uid=-1 -S open",
                           "-a always,exit -F path=/etc/group/ -F perm=wa",
                           "-a always,exit -F path=/a -F dir=/b",
                           "-a always,exit -F a9=1 -S open",
                           "-a always,exit -F msgtype=CWD -S open",
                           "-a always,exit -C uid!=gid -S open",
                           "-a always,exit -F auid>=unset -S open",
                           "-a always,task -S open",
                           "-e 3",
                           "-f 3",
                           "-b x",
                           "--backlog-wait-time 1",
                           "-e",
                           "wa"}) {
    EXPECT_EQ(parse(line).kind, Kind::kBad) << line;
  }
}

TEST(AuditLine, SaysWhatItDoesNotKnow) {
  EXPECT_NE(parse("-a always,exit -S call_of_tomorrow").doubt, "");
  EXPECT_NE(parse("-a never,exclude -F msgtype=TOMORROW").doubt, "");
  AuditWords unknown = words();
  unknown.knows_accounts = false;
  EXPECT_EQ(parse_audit_line("-a always,exit -F uid=alice -S open", unknown).kind, Kind::kRule);
  EXPECT_NE(parse_audit_line("-a always,exit -F uid=alice -S open", unknown).doubt, "");
}

TEST(AuditLine, KeepsACarriageReturnInTheKey) {
  EXPECT_EQ(parse("-w /etc/crlf -p wa -k crlf\r").rule.fields.back().text, "crlf\r");
}

TEST(DecodeAuditRules, ReadsBackWhatWasEncoded) {
  const std::vector<AuditRule> rules = {parse("-w /etc/passwd -p wa -k identity").rule,
                                        parse("-a never,exit -F arch=b64 -S adjtimex -F auid=unset -F uid=chrony").rule,
                                        parse("-A always,exit -S open -F obj_type=x -F dir=/etc -k y").rule};
  const auto again = decode_audit_rules(encode_audit_rules(rules));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(*again, rules);
}

TEST(DecodeAuditRules, RefusesWhatIsCutOrTooLong) {
  const auto messages = encode_audit_rules({parse("-w /etc/passwd -p wa -k identity").rule});
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{15}, std::size_t{16}, std::size_t{1000}, messages.size() - 8})
    EXPECT_FALSE(decode_audit_rules(messages.substr(0, size)).has_value()) << size;
  auto many = messages;
  many[16 + 8] = '\x41';  // 65 fields
  EXPECT_FALSE(decode_audit_rules(many).has_value());
  auto text = messages;
  text[16 + 12 + 256 + 256 + 1] = '\x7f';  // the first text is longer than all of them
  EXPECT_FALSE(decode_audit_rules(text).has_value());
}

TEST(DecodeAuditStatus, ReadsOldAndNewKernels) {
  AuditStatus status;
  status.enabled = 2;
  status.pid = 910;
  status.lost = 7;
  status.backlog_limit = 8192;
  const auto old = decode_audit_status(encode_audit_status(status));
  ASSERT_TRUE(old.has_value());
  EXPECT_EQ(old->enabled, 2U);
  EXPECT_EQ(old->lost, 7U);
  EXPECT_FALSE(old->backlog_wait_time.has_value());
  status.backlog_wait_time = 15000;
  EXPECT_EQ(decode_audit_status(encode_audit_status(status))->backlog_wait_time, 15000U);
  EXPECT_FALSE(decode_audit_status(encode_audit_status(status).substr(0, 40)).has_value());
  EXPECT_FALSE(decode_audit_status("").has_value());
}

TEST(HasAuditFamily, LooksForTheKernelsOwnEnd) {
  constexpr std::string_view kHeader = "sk               Eth Pid        Groups   Rmem\n";
  EXPECT_TRUE(has_audit_family(std::string(kHeader) + "0000000044c294a7 9   0          00000000 0\n"));
  EXPECT_FALSE(has_audit_family(std::string(kHeader) + "0000000044c294a7 9   4242       00000000 0\n"));
  EXPECT_FALSE(has_audit_family(std::string(kHeader) + "0000000044c294a7 4   0          00000000 0\n"));
}

TEST(SyscallNumber, TellsOtherMachinesFromNoMachine) {
  EXPECT_EQ(syscall_number(AUDIT_ARCH_X86_64, "openat").number, 257U);
  EXPECT_EQ(syscall_number(AUDIT_ARCH_X86_64, "umount").known, SyscallKnown::kElsewhere);
  EXPECT_EQ(syscall_number(AUDIT_ARCH_X86_64, "call_of_tomorrow").known, SyscallKnown::kNo);
  EXPECT_EQ(syscall_number(AUDIT_ARCH_I386, "shmat").known, SyscallKnown::kNo);
}

}  // namespace
}  // namespace gpuharden
