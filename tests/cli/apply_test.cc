// SPDX-License-Identifier: GPL-2.0-or-later
// plan, apply, rollback, history and status as their users run them, on a tree of files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/capture.h"
#include "tests/support/program.h"
#include "tests/support/snapshot.h"

namespace gpuharden::test {
namespace {
namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class ApplyTest : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root changes anything";
    put("/etc/os-release", "ID=debian\nVERSION_ID=12\n");
    put("/etc/passwd", "root:x:0:0::/root:/bin/bash\n");
    put("/etc/environment", "LANG=C\nCUDA_INJECTION64_PATH=/tmp/prof.so\n");
    fs::create_directories(root() + "/var/lib");
    before_ = snapshot_of(root());
  }

  std::string root() const { return folder_.path(); }
  void put(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(root() + path).parent_path());
    std::ofstream(root() + path) << text;
  }
  std::string get(const std::string& path) const {
    std::ifstream in(root() + path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  ProgramRun run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin() + 1, {"--root", root()});
    return run_program(arguments);
  }
  ProgramRun apply(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"apply", "--trust-rules", "--check", "env.injection-variable"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  TemporaryFolder folder_;
  Snapshot before_;
};

TEST_F(ApplyTest, PlanShowsTheChangeAndMakesNone) {
  const auto plan = run({"plan", "--check", "env.injection-variable"});
  EXPECT_EQ(plan.exit_code, 3) << plan.err;
  EXPECT_THAT(plan.out, HasSubstr("-CUDA_INJECTION64_PATH=/tmp/prof.so"));
  EXPECT_THAT(plan.out, HasSubstr("--- /etc/environment"));
  EXPECT_EQ(run({"apply", "--dry-run", "--check", "env.injection-variable"}).exit_code, 3);
  EXPECT_EQ(difference(snapshot_of(root()), before_), "");
  const auto json = run({"plan", "--check", "env.injection-variable", "--format", "json"});
  EXPECT_EQ(Json::parse(json.out)["changes"].size(), 1U);
}

TEST_F(ApplyTest, NothingIsDoneUnasked) {
  const auto asked = apply();
  EXPECT_EQ(asked.exit_code, 3);
  EXPECT_THAT(asked.err, HasSubstr("--yes"));
  const auto untrusted = run({"apply", "--yes", "--check", "env.injection-variable"});
  EXPECT_EQ(untrusted.exit_code, 1);
  EXPECT_THAT(untrusted.err, HasSubstr("--trust-rules"));
  const auto user = run_program({"apply", "--root", root(), "--yes", "--trust-rules"}, 65534);
  EXPECT_EQ(user.exit_code, 1);
  EXPECT_THAT(user.err, HasSubstr("only root"));
  EXPECT_EQ(difference(snapshot_of(root()), before_), "");
}

TEST_F(ApplyTest, ComesBackByteForByte) {
  const auto applied = apply({"--yes"});
  EXPECT_EQ(applied.exit_code, 4) << applied.out << applied.err;
  EXPECT_EQ(get("/etc/environment"), "LANG=C\n");
  const auto again = apply({"--yes"});
  EXPECT_EQ(again.exit_code, 0) << again.out;
  EXPECT_THAT(again.out, HasSubstr("0 changes"));
  EXPECT_EQ(Json::parse(run({"status", "--format", "json"}).out)["in_force"], 1);
  const auto history = Json::parse(run({"history", "--format", "json"}).out);
  ASSERT_EQ(history.size(), 1U);
  EXPECT_EQ(history[0]["state"], "applied");
  EXPECT_EQ(run({"rollback", "--yes"}).exit_code, 0);
  EXPECT_EQ(difference(snapshot_of(root()), before_), "");
  EXPECT_EQ(run({"rollback", "--yes"}).exit_code, 1);  // nothing left
  struct stat state {};
  ASSERT_EQ(::stat((root() + "/var/lib/gpuharden").c_str(), &state), 0);
  EXPECT_EQ(state.st_mode & 0777U, 0700U);
}

// Of several assignments the last one is in force and is the finding: behind it stands the one before.
TEST_F(ApplyTest, GoesOnUntilNothingNewIsFound) {
  put("/etc/environment", "CUDA_INJECTION64_PATH=/tmp/1.so\nLANG=C\nCUDA_INJECTION64_PATH=/tmp/2.so\n");
  before_ = snapshot_of(root());
  const auto applied = apply({"--yes", "--format", "json"});
  EXPECT_EQ(applied.exit_code, 4) << applied.out << applied.err;
  EXPECT_EQ(get("/etc/environment"), "LANG=C\n");
  EXPECT_EQ(Json::parse(applied.out)["result"]["transactions"].size(), 2U);
  // The first round takes the later ones along.
  const std::string first = Json::parse(applied.out)["result"]["transactions"][0];
  EXPECT_EQ(run({"rollback", first, "--yes"}).exit_code, 0);
  EXPECT_EQ(difference(snapshot_of(root()), before_), "");
}

TEST_F(ApplyTest, ARollbackKeepsWhatOthersChangedSince) {
  apply({"--yes"});
  put("/etc/environment", "LANG=C\nTZ=UTC\n");
  EXPECT_EQ(run({"rollback", "--yes"}).exit_code, 0);
  EXPECT_EQ(get("/etc/environment"), "LANG=C\nCUDA_INJECTION64_PATH=/tmp/prof.so\nTZ=UTC\n");
}

TEST_F(ApplyTest, AConflictChangesNothingUnlessToldTo) {
  apply({"--yes"});
  put("/etc/environment", "all new\n");
  const auto refused = run({"rollback", "--yes"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("/etc/environment"));
  EXPECT_EQ(get("/etc/environment"), "all new\n");
  EXPECT_EQ(run({"rollback", "--yes", "--force"}).exit_code, 0);
  EXPECT_EQ(difference(snapshot_of(root()), before_), "");
  // The other version is kept.
  std::string kept;
  for (const auto& entry : fs::directory_iterator(root() + "/var/lib/gpuharden/kept")) {
    std::ifstream in(entry.path());
    kept.assign(std::istreambuf_iterator<char>(in), {});
  }
  EXPECT_EQ(kept, "all new\n");
}

TEST_F(ApplyTest, RefusesWhatCannotBeChangedSafely) {
  fs::create_hard_link(root() + "/etc/environment", root() + "/etc/other-name");
  const auto applied = apply({"--yes"});
  EXPECT_EQ(applied.exit_code, 2);
  EXPECT_THAT(applied.out, HasSubstr("several links"));
  EXPECT_EQ(get("/etc/environment"), "LANG=C\nCUDA_INJECTION64_PATH=/tmp/prof.so\n");
}

TEST_F(ApplyTest, ADamagedJournalStopsEverything) {
  apply({"--yes"});
  for (const auto& entry : fs::directory_iterator(root() + "/var/lib/gpuharden/transactions")) {
    std::fstream journal(entry.path(), std::ios::in | std::ios::out);
    journal.seekp(60);
    journal << "#";
  }
  for (const auto* command : {"apply", "rollback"}) {
    const auto result = std::string(command) == "apply" ? apply({"--yes"}) : run({command, "--yes"});
    EXPECT_EQ(result.exit_code, 1) << command;
    EXPECT_THAT(result.err, HasSubstr(".journal: its first line is damaged"));
  }
  EXPECT_EQ(get("/etc/environment"), "LANG=C\n");
}

TEST_F(ApplyTest, ARiskIsTakenOnlyWhereItIsAccepted) {
  put("/etc/systemd/system/ollama.service",
      "[Service]\nEnvironment=OLLAMA_HOST=0.0.0.0\nExecStart=/usr/bin/ollama serve\n");
  put("/usr/bin/ollama", "");
  const std::vector<std::string> arguments = {"apply", "--trust-rules", "--yes", "--check", "services.ollama-bind"};
  const auto refused = run(arguments);
  EXPECT_EQ(refused.exit_code, 2) << refused.out;
  EXPECT_THAT(refused.out, HasSubstr("--accept restart"));
  auto accepting = arguments;
  accepting.insert(accepting.end(), {"--accept", "restart:services.*"});
  const auto accepted = run(accepting);
  EXPECT_EQ(accepted.exit_code, 0) << accepted.out << accepted.err;
  EXPECT_THAT(get("/etc/systemd/system/ollama.service.d/zz-gpuharden.conf"),
              HasSubstr("Environment=\"OLLAMA_HOST=127.0.0.1:11434\""));
  accepting.back() = "chaos";
  EXPECT_EQ(run(accepting).exit_code, 64);
}

TEST_F(ApplyTest, WhatIsWaivedIsLeftAlone) {
  const std::string file = root() + ".waivers.yaml";
  std::ofstream(file) << "waivers:\n  - rule: env.injection-variable\n    reason: a profiler for a week\n"
                         "    owner: ops\n    expires: 2999-01-01\n";
  const auto waived = apply({"--yes", "--waivers", file});
  EXPECT_EQ(waived.exit_code, 0) << waived.out << waived.err;
  EXPECT_EQ(difference(snapshot_of(root()), before_), "");
  fs::remove(file);
}

// What was interrupted is taken back by whichever command comes next.
TEST_F(ApplyTest, AnInterruptedApplyIsTakenBackByTheNextCommand) {
  apply({"--yes"});
  const std::string folder = root() + "/var/lib/gpuharden/transactions";
  for (const auto& entry : fs::directory_iterator(folder)) {
    // Without its last line it had not come to its end.
    std::ifstream in(entry.path());
    std::string first;
    std::getline(in, first);
    std::ofstream(entry.path(), std::ios::trunc) << first << "\n";
  }
  EXPECT_THAT(run({"status"}).out, HasSubstr("to be taken back"));
  const auto recovered = run({"recover"});
  EXPECT_EQ(recovered.exit_code, 0);
  EXPECT_THAT(recovered.err, HasSubstr("interrupted, taken back"));
  EXPECT_EQ(difference(snapshot_of(root()), before_), "");
}

TEST_F(ApplyTest, AWindowIsForALiveMachine) {
  const auto result = apply({"--yes", "--confirm-within", "60"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("live machine"));
  EXPECT_EQ(difference(snapshot_of(root()), before_), "");
}

}  // namespace
}  // namespace gpuharden::test
