// SPDX-License-Identifier: GPL-2.0-or-later
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <exception>
#include <string>

#include "engine/cli/command.h"

namespace gpuharden {
namespace {

// An audit lives for milliseconds: memory that is given back to the kernel is only faulted in again.
void keep_freed_memory() {
  ::mallopt(M_MMAP_THRESHOLD, 256 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 256 << 20);
  ::mallopt(M_TOP_PAD, 1 << 20);
}

// Variables can make libraries load plug-ins or read other files: none but these is kept.
void empty_environment() {
  constexpr std::array<const char*, 3> kKept = {"TERM", "COLUMNS", "NO_COLOR"};
  std::vector<std::pair<const char*, std::string>> kept;
  for (const char* name : kKept) {
    if (const char* value = ::getenv(name)) kept.emplace_back(name, value);
  }
  ::clearenv();
  for (const auto& [name, value] : kept) ::setenv(name, value.c_str(), 1);
}

extern "C" void cancel(int) {
  constexpr std::string_view kMessage = "\ngpuharden: cancelled\n";
  // Nothing was changed, so there is nothing to take back.
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  ::_exit(kExitCancelled);
}

int run(int argc, char** argv) {
  CLI::App app("Security audit of Linux servers that compute on GPUs (NVIDIA CUDA, AMD ROCm).", "gpuharden");
  app.require_subcommand(1);
  app.set_version_flag("--version", GPUHARDEN_VERSION);
  Runner runner;
  for (auto* add :
       {&add_audit_command, &add_plan_command, &add_apply_command, &add_transaction_commands, &add_list_command,
        &add_explain_command, &add_lint_command, &add_tables_command, &add_query_command, &add_diff_command,
        &add_merge_command, &add_version_command}) {
    add(app, runner);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? kExitOk : kExitUsage;
  }
  return runner ? runner() : kExitUsage;
}

}  // namespace
}  // namespace gpuharden

// The second net: whatever was not foreseen is told, and is no verdict.
int main(int argc, char** argv) {
  gpuharden::empty_environment();
  gpuharden::keep_freed_memory();
  ::signal(SIGINT, &gpuharden::cancel);
  ::signal(SIGTERM, &gpuharden::cancel);
  ::signal(SIGPIPE, SIG_IGN);
  try {
    return gpuharden::run(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "gpuharden: internal error, please report: %s\n", exception.what());
    return gpuharden::kExitNoVerdict;
  }
}
