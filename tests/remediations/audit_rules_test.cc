// SPDX-License-Identifier: GPL-2.0-or-later
// The file of audit rules: with it, on disk and in the kernel, each rule of the area that it is for passes.
#include "remediations/audit_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/audit.h>

#include "engine/base/text.h"
#include "engine/native/audit_line.h"
#include "engine/scan/evaluate.h"
#include "tests/support/case_file.h"
#include "tests/support/rule_tables.h"

namespace gpuharden::test {
namespace {
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;

// A Debian with merged /usr, whose lsmod is a link to kmod, and whose /etc/zsh is not there.
void furnish(Capture& machine) {
  for (const auto* path :
       {"/etc/profile", "/etc/profile.d/x.sh", "/etc/bash.bashrc", "/root/.bashrc", "/root/.profile",
        "/etc/environment", "/etc/ld.so.conf", "/etc/ld.so.conf.d/libc.conf", "/etc/systemd/system.conf",
        "/usr/lib/systemd/system/x.service", "/etc/group", "/etc/gshadow", "/etc/shadow", "/etc/sudoers",
        "/etc/sudoers.d/README", "/etc/nsswitch.conf", "/usr/bin/kmod", "/etc/modprobe.d/x.conf"})
    machine.file(path, "");
  machine.file("/proc/modules", "");
  machine.file("/etc/passwd", "root:x:0:0::/root:/bin/bash\n");
  machine.link("/sbin", "usr/sbin").link("/bin", "usr/bin").link("/lib", "usr/lib");
  machine.link("/usr/sbin/lsmod", "../bin/kmod");
}

AuditRulesText rules_of(const Capture& machine, const std::vector<AuditNeed>& needs = all_audit_needs()) {
  return make_audit_rules(machine.open()->files(), kMachine, needs);
}

// "now persistent" of a rule.
std::string outcomes(const Capture& machine, const std::string& id) {
  const auto host = machine.open();
  for (const auto& rule : shipped_catalog().rules) {
    if (rule.id != id) continue;
    RuleTables source(*host);
    Database database(source);
    auto prepared = prepare_rule(rule, database);
    database.expect(prepared.reads());
    std::string text;
    for (const auto& horizon : evaluate_rule(prepared).horizons)
      text += concat({text.empty() ? "" : " ", to_string(horizon.outcome)});
    return text;
  }
  throw std::runtime_error("no rule " + id);
}

void with_rules(Capture& machine, const AuditRulesText& rules) {
  std::string yaml = "audit: {rules: [";
  for (const auto& line : rules.lines) yaml += concat({"\"", line, "\", "});
  machine.yaml(yaml + "]}").file(std::string(kAuditRulesFile), audit_rules_file(rules));
}

TEST(AuditRulesFile, MakesTheRulesOfTheAreaPass) {
  Capture before, after;
  furnish(before);
  furnish(after);
  before.yaml("audit: {rules: []}");
  with_rules(after, rules_of(after));
  for (const auto* id : {"audit.shell-profiles", "audit.environment-files", "audit.unit-folders", "audit.account-files",
                         "audit.module-loading"}) {
    EXPECT_EQ(outcomes(before, id), "fail fail") << id;
    EXPECT_EQ(outcomes(after, id), "pass pass") << id;
  }
  for (const auto* id : {"audit.dead-rule", "audit.rules-match", "audit.arch-pair", "audit.flood", "audit.home-noise",
                         "audit.key-characters", "audit.suppressed"})
    EXPECT_EQ(outcomes(after, id), "pass pass") << id;
  EXPECT_EQ(outcomes(after, "audit.rules-load"), "pass");
}

TEST(AuditRulesFile, NamesOnlyWhatIsThereWithoutLinks) {
  Capture machine;
  furnish(machine);
  const auto rules = rules_of(machine);
  EXPECT_THAT(rules.left_out, IsEmpty());
  EXPECT_THAT(rules.lines, Contains("-w /usr/bin/kmod -p x -k gpuharden-modules"));
  EXPECT_THAT(rules.lines, Contains("-w /etc/profile.d -p wa -k gpuharden-profiles"));
  EXPECT_THAT(rules.lines, Each(Not(HasSubstr("lsmod"))));
  EXPECT_THAT(rules.lines, Each(Not(HasSubstr("zsh"))));
  EXPECT_THAT(
      rules.lines,
      Contains("-a always,exit -F arch=b32 -S init_module,delete_module,finit_module -F key=gpuharden-modules"));
}

TEST(AuditRulesFile, HoldsNothingButRulesAndEachOnce) {
  Capture machine;
  furnish(machine);
  auto needs = all_audit_needs();
  needs.push_back(account_need());
  const auto rules = rules_of(machine, needs);
  EXPECT_EQ(rules.lines, rules_of(machine).lines);
  AuditWords words;
  words.machine = kMachine;
  const std::string text = audit_rules_file(rules);
  for (const auto line : split(std::string_view(text), '\n')) {
    const auto kind = parse_audit_line(line, words).kind;
    EXPECT_TRUE(kind == AuditLine::Kind::kRule || kind == AuditLine::Kind::kNothing) << line;
  }
  std::set<std::string> once(rules.lines.begin(), rules.lines.end());
  EXPECT_EQ(once.size(), rules.lines.size());
}

TEST(AuditRulesFile, SaysWhatItCannotWatch) {
  Capture machine;
  machine.file("/etc/two words", "").file("/etc/group", "");
  machine.yaml("paths: {/etc/pipe: {type: fifo}, /etc/shut: {error: permission}}");
  const auto rules = rules_of(machine, {{{"k"}, {"/etc/two words", "/etc/pipe", "/etc/shut", "/etc/none"}, {}, {}}});
  EXPECT_THAT(rules.lines, IsEmpty());
  EXPECT_THAT(rules.left_out,
              ElementsAre(HasSubstr("/etc/two words: "), HasSubstr("/etc/pipe: is no file"), HasSubstr("/etc/shut: ")));
}

TEST(AuditRulesFile, LeavesOutProgramsThatAreMuchElse) {
  Capture machine;
  machine.file("/usr/bin/busybox", "").link("/usr/sbin/lsmod", "../bin/busybox");
  EXPECT_THAT(rules_of(machine, {{{"k"}, {}, {"/usr/sbin/lsmod"}, {}}}).lines, IsEmpty());
}

TEST(AuditRulesFile, KnowsTheCallsOfTheMachine) {
  Capture machine;
  const std::vector<AuditNeed> needs = {{{"k", "other"}, {}, {}, {"init_module", "no_such_call", "umount"}}};
  EXPECT_THAT(make_audit_rules(machine.open()->files(), kMachine, needs).lines,
              ElementsAre("-a always,exit -F arch=b64 -S init_module -F key=k -F key=other",
                          "-a always,exit -F arch=b32 -S umount,init_module -F key=k -F key=other"));
}

}  // namespace
}  // namespace gpuharden::test
