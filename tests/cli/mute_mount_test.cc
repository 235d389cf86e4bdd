// SPDX-License-Identifier: GPL-2.0-or-later
// A whole audit beside file systems that never answer: a home and /opt/rocm on a FUSE mount without a server.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/base/handle.h"
#include "tests/support/capture.h"
#include "tests/support/program.h"

namespace gpuharden::test {
namespace {

using Json = nlohmann::json;

constexpr int kNotHere = 77;

bool mount_mute(const std::string& place, const UniqueFd& server) {
  const std::string options = "fd=" + std::to_string(server.get()) + ",rootmode=40000,user_id=0,group_id=0";
  return server && ::mount("mute", place.c_str(), "fuse.mute", 0, options.c_str()) == 0;
}

// In a mount namespace of its own: root's home and /opt/rocm never answer.
[[noreturn]] void audit_beside_mute_mounts(const std::string& report) {
  const UniqueFd home(::open("/dev/fuse", O_RDWR | O_CLOEXEC));
  const UniqueFd rocm(::open("/dev/fuse", O_RDWR | O_CLOEXEC));
  const bool ready = ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                     ::mount("own", "/opt", "tmpfs", 0, nullptr) == 0 && ::mkdir("/opt/rocm", 0755) == 0 &&
                     mount_mute("/opt/rocm", rocm) && mount_mute("/root", home);
  if (!ready) ::_exit(kNotHere);
  const auto run = run_program({"audit", "--format", "json"});
  std::ofstream(report) << run.out;
  ::_exit(run.exit_code);
}

std::vector<std::string> gap_sentences(const Json& rule) {
  std::vector<std::string> sentences;
  for (const auto& horizon : rule["horizons"]) {
    for (const auto& gap : horizon["gaps"]) sentences.push_back(gap["sentence"]);
  }
  return sentences;
}

TEST(MuteMount, AHomeAndRocmThatNeverAnswerAreGapsOfAFinishedAudit) {
  if (::geteuid() != 0) GTEST_SKIP() << "mounting needs root";
  const TemporaryFolder folder;
  const std::string report_file = folder.path() + "/report.json";
  const pid_t pid = ::fork();
  if (pid == 0) audit_beside_mute_mounts(report_file);
  int status = 0;
  ::waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kNotHere) GTEST_SKIP() << "no mount namespace or no /dev/fuse here";
  EXPECT_THAT(WEXITSTATUS(status), testing::AnyOf(1, 2)) << "what could not be read is no green";

  std::ifstream stream(report_file);
  const Json report = Json::parse(stream);
  bool says_why = false;
  for (const auto& rule : report["rules"]) {
    EXPECT_NE(rule["outcome"], "error") << rule["id"] << ": no table may pass its deadline";
    for (const auto& sentence : gap_sentences(rule))
      says_why =
          says_why || (sentence.find("/root") != std::string::npos && sentence.find("fuse.mute") != std::string::npos);
    if (rule["id"] == "env.injection-variable") {
      EXPECT_THAT(rule["outcome"], testing::AnyOf("unknown", "fail"));
    }
  }
  EXPECT_TRUE(says_why) << "a gap names the home and its file system";
}

}  // namespace
}  // namespace gpuharden::test
