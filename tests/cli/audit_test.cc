// SPDX-License-Identifier: GPL-2.0-or-later
// The program as its users run it: exit codes, clean standard output, no verdict out of blindness.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/capture.h"
#include "tests/support/program.h"

namespace gpuharden::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

// One source entry, signed or not.
void write_source(Capture& capture, bool is_signed) {
  const std::string option = is_signed ? "[signed-by=/usr/share/keyrings/cuda-archive-keyring.gpg] " : "";
  capture.file("/etc/apt/sources.list.d/cuda.list",
               "deb " + option + "https://developer.download.nvidia.com/compute/cuda/repos/debian12/x86_64/ /\n");
  capture.file("/etc/os-release", "ID=debian\nVERSION_ID=12\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n");
}

ProgramRun audit(const Capture& capture, std::vector<std::string> more = {}) {
  capture.save();
  std::vector<std::string> arguments = {"audit", "--capture", capture.path(), "--check", "apt.signed-by"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments);
}

TEST(AuditCommand, ExitCodesFollowTheVerdict) {
  Capture good;
  write_source(good, true);
  EXPECT_EQ(audit(good).exit_code, 0);
  Capture bad;
  write_source(bad, false);
  EXPECT_EQ(audit(bad).exit_code, 2);
  EXPECT_EQ(audit(bad, {"--exit-zero"}).exit_code, 0);
  EXPECT_EQ(audit(bad, {"--fail-on", "critical"}).exit_code, 0);
  Capture blind;
  write_source(blind, true);
  blind.yaml("paths: {/etc/apt/sources.list.d/cuda.list: {error: permission}}");
  EXPECT_EQ(audit(blind).exit_code, 1);
  EXPECT_EQ(audit(blind, {"--allow-unknown"}).exit_code, 0);
}

TEST(AuditCommand, WrongUsageIsNeverZero) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"audt"},
                                             {"audit", "--check", "typo"},
                                             {"audit", "--tag", "typo"},
                                             {"audit", "--skip", "typo"},
                                             {"audit", "--profile", "typo"},
                                             {"audit", "--fail-on", "huge"},
                                             {"audit", "--format", "pdf"},
                                             {"audit", "--report", "json"},
                                             {"audit", "--bogus"},
                                             {"audit", "--set", "apt.signed-by.vendrs=x"},
                                             {"audit", "--root", "/", "--capture", "/"},
                                             {"explain", "typo"},
                                             {"tables", "typo"},
                                             {"query", "DELETE FROM users"},
                                             {"query", "SELECT nope FROM users"}}) {
    const auto run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 64) << testing::PrintToString(arguments) << run.err;
    EXPECT_NE(run.err, "") << testing::PrintToString(arguments);
  }
}

TEST(AuditCommand, NoVerdictWithoutRulesOrHost) {
  const TemporaryFolder empty;
  EXPECT_EQ(run_program({"audit", "--root", empty.path()}).exit_code, 1) << "an empty root is an error";
  EXPECT_EQ(run_program({"audit", "--root", "/nowhere"}).exit_code, 1);
  EXPECT_EQ(run_program({"audit", "--capture", empty.path()}).exit_code, 1);
  EXPECT_EQ(run_program({"audit", "--rules", "/nowhere"}).exit_code, 1);
}

TEST(AuditCommand, ABrokenRuleFileNamesFileLineAndColumn) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() + "/mine");
  std::ofstream(folder.path() + "/mine/bad.yaml") << "title: x\nseverty: high\n";
  const auto run = run_program({"audit", "--rules", folder.path()});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, HasSubstr("mine/bad.yaml:2:1: unknown-key"));
  EXPECT_EQ(run_program({"lint", folder.path()}).exit_code, 1);
}

TEST(AuditCommand, ARuleWithWrongSqlIsNoVerdict) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() + "/mine");
  std::ofstream(folder.path() + "/mine/bad.yaml")
      << "title: x\nseverity: high\nmaturity: stable\nattack: [T1046]\nwhy: x\nquery: SELECT nope AS subject, 1 AS ok "
         "FROM users\n"
         "message: x\nnone: x\nmanual: x\nreferences: [\"https://example.org\"]\n";
  const auto run = run_program({"audit", "--rules", folder.path(), "--check", "mine.bad"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err + run.out, HasSubstr("nope"));
}

TEST(AuditCommand, AMachineFormatStandsAloneOnStandardOutput) {
  Capture bad;
  write_source(bad, false);
  const auto run = audit(bad, {"--format", "json"});
  EXPECT_TRUE(Json::accept(run.out)) << run.out;
}

TEST(AuditCommand, WritesSeveralReportsAtOnce) {
  Capture bad;
  write_source(bad, false);
  const TemporaryFolder folder;
  const auto run = audit(bad, {"--report", "json=" + folder.path() + "/a.json", "-o", folder.path() + "/a.txt"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_TRUE(fs::exists(folder.path() + "/a.json") && fs::exists(folder.path() + "/a.txt"));
  EXPECT_EQ(audit(bad, {"-o", "/nowhere/a.txt"}).exit_code, 1) << "a report that could not be written is no verdict";
}

TEST(AuditCommand, TheSameCaptureGivesTheSameFindings) {
  Capture bad;
  write_source(bad, false);
  auto first = Json::parse(audit(bad, {"--format", "json"}).out);
  auto second = Json::parse(audit(bad, {"--format", "json"}).out);
  for (auto* report : {&first, &second}) {
    report->erase("started");
    report->erase("duration_us");
  }
  EXPECT_EQ(first, second);
}

// Whoever sees less may be unsure of more; he must not accuse.
TEST(AuditCommand, AnUnprivilegedRunFailsNothingThatRootDoesNot) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to compare with";
  const auto as_root = run_program({"audit", "--format", "json"});
  const auto as_nobody = run_program({"audit", "--format", "json"}, 65534);
  if (as_nobody.exit_code == 98) GTEST_SKIP() << "the build folder is closed to other users";
  ASSERT_THAT(as_nobody.out, testing::Not(IsEmpty())) << as_nobody.err;
  std::map<std::string, std::string> root_outcomes;
  const Json root_report = Json::parse(as_root.out);
  for (const auto& rule : root_report["rules"]) root_outcomes[rule["id"]] = rule["outcome"];
  const Json report = Json::parse(as_nobody.out);
  EXPECT_FALSE(report["host"]["privileged"].get<bool>());
  for (const auto& rule : report["rules"]) {
    const std::string id = rule["id"];
    const std::string outcome = rule["outcome"];
    const bool claims = outcome == "fail" || outcome == "pass";
    EXPECT_TRUE(!claims || root_outcomes[id] == outcome)
        << id << ": " << outcome << " here, " << root_outcomes[id] << " as root";
  }
}

// The tree as an image and as a live machine's "/": the same facts, and nothing of the machine around it.
TEST(AuditCommand, AnImageKnowsNothingOfTheMachineAroundIt) {
  Capture poison;
  write_source(poison, true);
  poison.link("/etc/apt/sources.list.d/out.list", "/etc/gpuharden-test-outside.list");
  poison.link("/etc/apt/sources.list.d/up.list", "../../../../../../../../etc/gpuharden-test-outside.list");
  const auto run =
      run_program({"query", "--root", poison.root(), "--format", "json", "SELECT file, uri FROM apt_sources"});
  const Json rows = Json::parse(run.out);
  EXPECT_EQ(rows.size(), 1U);
}

TEST(AuditCommand, TheSameTreeLiveAndAsAnImageSaysTheSame) {
  if (::geteuid() != 0) GTEST_SKIP() << "a mount namespace needs root";
  Capture tree;
  write_source(tree, false);
  tree.folder("/proc").folder("/sys").folder("/dev").folder("/usr").folder("/lib").folder("/lib64").folder("/bin");
  const std::string sql = "SELECT file, line, uri, signed_by, trusted FROM apt_sources";
  const auto image = run_program({"query", "--root", tree.root(), "--format", "json", sql});
  const TemporaryFolder out;
  const pid_t pid = ::fork();
  if (pid == 0) {
    // The tree's /etc over the machine's own: the live doors read it.
    const bool ready = ::unshare(CLONE_NEWNS) == 0 &&
                       ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                       ::mount((tree.root() + "/etc").c_str(), "/etc", nullptr, MS_BIND, nullptr) == 0;
    if (!ready) ::_exit(77);
    const auto live = run_program({"query", "--format", "json", sql});
    std::ofstream(out.path() + "/live.json") << live.out;
    ::_exit(live.exit_code);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no mount namespace here";
  std::ifstream stream(out.path() + "/live.json");
  const std::string live{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(Json::parse(image.out), Json::parse(live));
}

TEST(QueryCommand, SaysWhatCouldNotBeRead) {
  Capture blind;
  blind.file("/etc/passwd", "root:x:0:0::/root:/bin/sh\n").yaml("paths: {/etc/passwd: {error: permission}}");
  blind.save();
  const auto run = run_program({"query", "--capture", blind.path(), "SELECT name FROM users"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("not read: "));
}

// Only digests leave the reader, so no statement and no writer can show what they stand for.
TEST(QueryCommand, NeverShowsASecret) {
  Capture capture;
  capture.file("/etc/environment", "HF_TOKEN=hf_plain_text\n").file("/etc/passwd", "root:x:0:0::/root:/bin/sh\n");
  capture.save();
  const auto run = run_program(
      {"query", "--capture", capture.path(), "--format", "json", "SELECT name, value, raw FROM env_assignments"});
  EXPECT_THAT(run.out, HasSubstr("HF_TOKEN"));
  EXPECT_THAT(run.out, HasSubstr("secret:"));
  EXPECT_THAT(run.out, testing::Not(HasSubstr("hf_plain_text")));
}

TEST(OtherCommands, Work) {
  EXPECT_THAT(run_program({"version"}).out, HasSubstr("gpuharden 0."));
  EXPECT_THAT(run_program({"list"}).out, HasSubstr("apt.signed-by"));
  EXPECT_THAT(run_program({"explain", "apt.signed-by"}).out, HasSubstr("T1195.002"));
  EXPECT_THAT(run_program({"tables"}).out, HasSubstr("apt_sources"));
  EXPECT_THAT(run_program({"tables", "apt_sources"}).out, HasSubstr("signed_by"));
  EXPECT_EQ(run_program({"lint"}).exit_code, 0);
  EXPECT_EQ(run_program({"--help"}).exit_code, 0);
}

}  // namespace
}  // namespace gpuharden::test
