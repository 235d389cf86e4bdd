// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/program.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

// Standard streams to files: nothing can fill a pipe up and wait.
void redirect(const std::string& folder) {
  ::dup2(::open("/dev/null", O_RDONLY), 0);
  ::dup2(::open((folder + "/out").c_str(), O_WRONLY | O_CREAT, 0600), 1);
  ::dup2(::open((folder + "/err").c_str(), O_WRONLY | O_CREAT, 0600), 2);
}

}  // namespace

std::string program_path() { return GPUHARDEN_BINARY_DIR "/gpuharden"; }

ProgramRun run_command(const std::vector<std::string>& command, unsigned uid) {
  const TemporaryFolder folder;
  std::vector<char*> list;
  for (const auto& word : command) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("fork failed");
  if (pid == 0) {
    redirect(folder.path());
    if (uid != 0 && (::setgroups(0, nullptr) != 0 || ::setgid(uid) != 0 || ::setuid(uid) != 0)) ::_exit(99);
    ::execv(list[0], list.data());
    ::_exit(98);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), read_file(folder.path() + "/out"),
          read_file(folder.path() + "/err")};
}

ProgramRun run_program(const std::vector<std::string>& arguments, unsigned uid) {
  std::vector<std::string> command = {program_path()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_command(command, uid);
}

bool is_program(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

}  // namespace gpuharden::test
