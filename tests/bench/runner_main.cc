// SPDX-License-Identifier: GPL-2.0-or-later
// gpuharden-runner N COMMAND...: runs a command N times and says what it cost, with all descendants.
// What the command prints goes nowhere.
#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <set>
#include <stdexcept>

#include "engine/base/text.h"
#include "tests/bench/measure.h"

namespace gpuharden::test {
namespace {

struct Cost {
  Times times;
  long peak = 0;  // KiB
  int exit_code = 0;
};

pid_t start(char** command) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0);
  }
  pid_t child = 0;
  const int error = ::posix_spawn(&child, command[0], &actions, nullptr, command, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error(concat({command[0], ": ", std::strerror(error)}));
  return child;
}

double milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

Cost run_once(char** command) {
  const auto before = now();
  const pid_t child = start(command);
  Cost cost;
  // An audit does not wait for its reader: the reader comes to us when the audit has ended.
  for (;;) {
    rusage usage{};
    int status = 0;
    const pid_t ended = ::wait4(-1, &status, 0, &usage);
    if (ended < 0) return cost;
    cost.times.cpu += milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
    cost.peak = std::max(cost.peak, usage.ru_maxrss);
    if (ended != child) continue;
    cost.times.wall = now().wall - before.wall;
    cost.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
}

int run(int count, char** arguments) {
  const auto runs = count > 2 ? parse_unsigned(arguments[1]) : std::nullopt;
  if (!runs || *runs == 0) {
    std::fputs("usage: gpuharden-runner N COMMAND...\n", stderr);
    return 64;
  }
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  std::vector<double> wall, cpu;
  long peak = 0;
  std::set<int> exit_codes;
  for (std::uint64_t i = 0; i < *runs; ++i) {
    const auto cost = run_once(arguments + 2);
    wall.push_back(cost.times.wall);
    cpu.push_back(cost.times.cpu);
    peak = std::max(peak, cost.peak);
    exit_codes.insert(cost.exit_code);
  }
  std::printf("  wall  %s\n  cpu   %s\n  peak  %8.2f MiB\n  exit ", describe(wall).c_str(), describe(cpu).c_str(),
              static_cast<double>(peak) / 1024);
  for (const int code : exit_codes) std::printf(" %d", code);
  std::printf("\n");
  return 0;
}

}  // namespace
}  // namespace gpuharden::test

int main(int count, char** arguments) {
  try {
    return gpuharden::test::run(count, arguments);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "gpuharden-runner: %s\n", exception.what());
    return 1;
  }
}
