// SPDX-License-Identifier: GPL-2.0-or-later
// diff: what changed between two JSON reports.
#include <CLI/CLI.hpp>

#include "engine/base/text.h"
#include "engine/cli/command.h"
#include "engine/cli/report_files.h"
#include "engine/report/compare.h"

namespace gpuharden {
namespace {

constexpr int kExitWorse = 2;

struct DiffCommand {
  std::string before, after;
  std::string format = "text";
  std::string fail_on = "info";
};

int run_diff(const DiffCommand& command) {
  const auto gate = parse_severity(command.fail_on);
  if (!gate) {
    complain("--fail-on: the severities are critical, high, medium, low and info");
    return kExitUsage;
  }
  const auto before = read_report_file(command.before);
  const auto after = read_report_file(command.after);
  for (const auto* report : {&before, &after}) {
    if (!*report) complain(report->error().message);
  }
  if (!before || !after) return kExitNoVerdict;
  const Comparison comparison = compare(*before, *after);
  const bool written = print(command.format == "json" ? write_diff_json(*before, *after, comparison)
                                                      : write_diff_text(*before, *after, comparison));
  if (!written) return kExitNoVerdict;
  return is_worse(comparison, *gate) ? kExitWorse : kExitOk;
}

}  // namespace

void add_diff_command(CLI::App& app, Runner& run) {
  auto command = std::make_shared<DiffCommand>();
  auto* sub = app.add_subcommand("diff", "What changed between two JSON reports");
  sub->add_option("before", command->before, "The earlier report, made by audit --format json")->required();
  sub->add_option("after", command->after, "The later one")->required();
  sub->add_option("-f,--format", command->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  sub->add_option("--fail-on", command->fail_on, "Least severity that decides the exit code")->capture_default_str();
  sub->footer(
      "Exit: 0 nothing is new, worse or no longer seen; 2 something is; 1 a report could not be read; 64 bad usage.");
  sub->callback([command, &run] { run = [command] { return run_diff(*command); }; });
}

}  // namespace gpuharden
