// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "engine/base/text.h"
#include "engine/cli/command.h"
#include "engine/gpu/gpu_source.h"
#include "engine/report/writer.h"
#include "engine/scan/audit.h"
#include "engine/scan/floor_source.h"

namespace gpuharden {
namespace {

struct AuditCommand {
  HostOptions host;
  RuleOptions rules;
  std::string format = "text";
  std::string output;
  std::vector<std::string> reports;  // "format=file"
  std::string fail_on = "medium";
  std::string color = "auto";
  bool deep = false;
  bool no_compute = false;
  bool allow_unknown = false;
  bool exit_zero = false;
  bool quiet = false;
  int verbosity = 0;
};

bool wants_color(const AuditCommand& command) {
  if (command.color != "auto") return command.color == "always";
  const char* no_color = std::getenv("NO_COLOR");
  return command.output.empty() && ::isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0');
}

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 40) return 80;
  return std::min<std::size_t>(size.ws_col, 120);
}

struct Target {
  const ReportFormat* format = nullptr;
  std::string file;  // empty: standard output
};

// Where reports go; nothing when an option names no format.
std::optional<std::vector<Target>> targets_of(const AuditCommand& command) {
  std::vector<Target> targets = {{find_report_format(command.format), command.output}};
  std::string name = command.format;
  for (const auto& report : command.reports) {
    const auto equals = report.find('=');
    name = report.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == report.size()) {
      complain(concat({"--report ", report, ": write format=file"}));
      return std::nullopt;
    }
    targets.push_back({find_report_format(name), report.substr(equals + 1)});
  }
  for (const auto& target : targets) {
    if (target.format != nullptr) continue;
    std::vector<std::string> known;
    for (const auto& format : report_formats()) known.emplace_back(format.name);
    complain(concat({"there is no such report format; there are: ", join(known, ", ")}));
    return std::nullopt;
  }
  return targets;
}

bool write_reports(const Report& report, const std::vector<Target>& targets, const AuditCommand& command) {
  bool good = true;
  for (const auto& target : targets) {
    WriterOptions options;
    options.verbosity = command.verbosity;
    options.color = target.file.empty() && wants_color(command);
    options.width = target.file.empty() && ::isatty(STDOUT_FILENO) != 0 ? terminal_width() : 80;
    const std::string bytes = target.format->write(report, options);
    if (target.file.empty()) {
      good = print(bytes) && good;
      continue;
    }
    const auto written = write_file(target.file, bytes);
    if (!written) complain(written.error().message);
    good = written.has_value() && good;
  }
  return good;
}

Report new_report(const AuditCommand& command, const Catalog& catalog, const HostHello& hello) {
  Report report;
  report.tool_version = GPUHARDEN_VERSION;
  report.rules_digest = catalog.digest;
  report.rules_trust = catalog.trust;
  report.warnings = catalog.warnings;
  report.warnings.insert(report.warnings.end(), hello.warnings.begin(), hello.warnings.end());
  if (!hello.privileged) report.warnings.emplace_back("not run as root: what other users own could not be read");
  report.host.name = hello.kernel.nodename.empty() ? command.host.root : hello.kernel.nodename;
  report.host.kind = host_kind(command.host);
  report.host.kernel = hello.kernel.release;
  report.host.machine = hello.kernel.machine;
  report.host.boot_id = hello.boot_id;
  report.host.privileged = hello.privileged;
  report.profile = command.rules.selection.profile;
  report.started =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  return report;
}

int no_verdict(const Error& error) {
  complain(error.message);
  return kExitNoVerdict;
}

int run_audit_command(const AuditCommand& command) {
  const auto start = std::chrono::steady_clock::now();
  const auto targets = targets_of(command);
  const auto gate = parse_severity(command.fail_on);
  if (!gate) complain("--fail-on: the severities are critical, high, medium, low and info");
  if (!targets || !gate) return kExitUsage;
  const bool progress = !command.quiet && ::isatty(STDERR_FILENO) != 0;
  // The readers open the host while the rules are loaded.
  auto source = launch_readers(command.host, progress);
  if (!source) return no_verdict(source.error());
  auto catalog = load_catalog_or_complain(command.rules);
  if (!catalog) return kExitNoVerdict;
  const auto selection = select_or_complain(*catalog, command.rules);
  if (!selection) return kExitUsage;
  if (selection->rules.empty()) {
    complain("no rule is selected");
    return kExitUsage;
  }
  if (const auto ready = (*source)->greet(); !ready) return no_verdict(ready.error());
  Report report = new_report(command, *catalog, (*source)->hello());
  GpuSource with_gpus(**source, quick_gpu_run(command.host));
  FloorSource tables(with_gpus);
  tables.use(catalog->floors, selection->floors_max_age);
  run_audit(*selection, catalog->techniques, {{*gate, command.allow_unknown}, command.deep, !command.no_compute},
            tables, report);
  if (progress) std::fputs("\r\x1b[K", stderr);
  report.duration_us =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start).count();
  if (!write_reports(report, *targets, command)) return kExitNoVerdict;
  return command.exit_zero ? kExitOk : report.exit_code;
}

}  // namespace

void add_audit_command(CLI::App& app, Runner& run) {
  auto command = std::make_shared<AuditCommand>();
  auto* sub = app.add_subcommand("audit", "Judge this machine, an image or a capture");
  add_rule_options(*sub, command->rules);
  add_host_options(*sub, command->host);
  sub->add_option("-f,--format", command->format, "Report format: text or json")->capture_default_str();
  sub->add_option("-o,--output", command->output, "Write the report to this file");
  sub->add_option("--report", command->reports, "format=file, beside the main report; may be repeated");
  sub->add_option("--fail-on", command->fail_on, "Least severity that decides the exit code")->capture_default_str();
  sub->add_option("--color", command->color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  sub->add_flag("--deep", command->deep, "Also rules that hash files or open archives");
  sub->add_flag("--no-compute", command->no_compute, "Let no GPU compute, whatever the profile says");
  sub->add_flag("--allow-unknown", command->allow_unknown, "What could not be read does not change the exit code");
  sub->add_flag("--exit-zero", command->exit_zero, "Exit 0 whenever there is a report");
  sub->add_flag("-q,--quiet", command->quiet, "No progress on the terminal");
  sub->add_flag("-v,--verbose", command->verbosity, "Also what passes, and everything of a finding");
  sub->footer(
      "Exit: 0 everything at or over the gate passes, is not applicable or waived;\n"
      "      2 something fails; 1 no verdict; 64 bad usage; 130 cancelled.");
  sub->callback([command, &run] { run = [command] { return run_audit_command(*command); }; });
}

}  // namespace gpuharden
