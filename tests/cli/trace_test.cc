// SPDX-License-Identifier: GPL-2.0-or-later
// What the kernel saw: a system-call trace of a whole audit. Nothing is opened for writing, nothing
// is executed, and the tables that need the reader's rights are filled all the same.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/base/handle.h"
#include "engine/base/text.h"
#include "tests/support/capture.h"
#include "tests/support/program.h"

namespace gpuharden::test {
namespace {

using Json = nlohmann::json;

// Every line of `strace -f` over the program, or nothing where there is no strace.
std::vector<std::string> trace(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  const std::string log = folder.path() + "/trace";
  std::vector<std::string> words = {"/usr/bin/strace", "-f", "-qq", "-o", log, program_path()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> list;
  for (const auto& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, 1);
    ::dup2(null, 2);
    ::execv(list[0], list.data());
    ::_exit(98);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  std::ifstream stream(log);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool is_mutation(std::string_view line) {
  for (const auto* word :
       {"O_WRONLY",       "O_RDWR",       "O_CREAT",       "O_TRUNC",   " unlink",      " rename",      " mkdir",
        " rmdir",         " chmod",       " fchmod",       " chown",    " fchown",      " mknod",       " mount(",
        " umount",        " symlink",     " link(",        " truncate", " ftruncate",   " init_module", " finit_module",
        " delete_module", " sethostname", " settimeofday", " setxattr", " removexattr", " swapon",      " reboot"}) {
    if (line.find(word) != std::string_view::npos) return true;
  }
  return false;
}

TEST(Trace, AnAuditOpensNothingForWritingAndRunsNothing) {
  const auto lines = trace({"audit", "--format", "json"});
  if (lines.empty()) GTEST_SKIP() << "strace is not installed or may not trace here";
  std::size_t executed = 0;
  bool in_reader = false;
  for (const auto& line : lines) {
    if (line.find(" execve(") != std::string::npos) ++executed;
    in_reader = in_reader || line.find("openat2(") != std::string::npos;
    EXPECT_FALSE(is_mutation(line)) << line;
    EXPECT_EQ(line.find("socket(AF_INET"), std::string::npos) << "an audit talks to no network: " << line;
  }
  EXPECT_EQ(executed, 1U) << "only the program itself";
  EXPECT_TRUE(in_reader) << "the trace followed the reader";
  EXPECT_GT(lines.size(), 500U);
}

TEST(Trace, TheReaderSeesProcessesAndSockets) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  const UniqueFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(listener.get(), 1), 0);
  socklen_t size = sizeof address;
  ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size);
  const std::string port = std::to_string(ntohs(address.sin_port));
  const auto sockets = Json::parse(
      run_program({"query", "--format", "json", "SELECT pid, exposure FROM listening_sockets WHERE port = " + port})
          .out);
  ASSERT_EQ(sockets.size(), 1U);
  EXPECT_EQ(sockets[0]["pid"], ::getpid());
  EXPECT_EQ(sockets[0]["exposure"], "loopback");
  const auto processes =
      Json::parse(run_program({"query", "--format", "json",
                               "SELECT pid, exe FROM processes WHERE pid = " + std::to_string(::getpid())})
                      .out);
  ASSERT_EQ(processes.size(), 1U);
  EXPECT_THAT(processes[0]["exe"].get<std::string>(), testing::HasSubstr("test_cli"));
}

}  // namespace
}  // namespace gpuharden::test
