// SPDX-License-Identifier: GPL-2.0-or-later
// Runs the real gpuharden, as a user would.
#pragma once

#include <string>
#include <vector>

namespace gpuharden::test {

struct ProgramRun {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

// `uid` 0 runs it as the tests run; another as that user (needs root).
ProgramRun run_program(const std::vector<std::string>& arguments, unsigned uid = 0);

// Another program, by its absolute path; exit code 98 when it could not be started.
ProgramRun run_command(const std::vector<std::string>& command, unsigned uid = 0);
bool is_program(const std::string& path);

// The path of the program under test.
std::string program_path();

}  // namespace gpuharden::test
