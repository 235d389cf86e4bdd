// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "engine/base/date.h"
#include "engine/base/text.h"
#include "engine/cli/command.h"
#include "engine/cli/report_files.h"
#include "engine/gpu/gpu_source.h"
#include "engine/report/compare.h"
#include "engine/rules/waiver_loader.h"
#include "engine/rules/waivers.h"
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
  std::vector<std::string> waivers;  // files
  std::string fail_on_expiring;      // "14d"
  std::optional<std::int64_t> expiring_days;
  std::string baseline;    // a JSON report
  std::string sarif_omit;  // "pass,waived"
  std::set<Outcome> omitted;
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

// What the reports are made with, on a terminal and elsewhere.
WriterOptions writer_options(const AuditCommand& command) {
  WriterOptions options;
  options.verbosity = command.verbosity;
  options.omit = command.omitted;
  return options;
}

WriterOptions terminal_options(const AuditCommand& command) {
  WriterOptions options = writer_options(command);
  options.color = wants_color(command);
  options.width = ::isatty(STDOUT_FILENO) != 0 ? terminal_width() : 80;
  return options;
}

// "pass,waived"; a fail or an error is never left out.
bool parse_omitted(const std::string& words, std::set<Outcome>& omitted) {
  for (const auto word : split(words, ',')) {
    const auto outcome = parse_outcome(word);
    if (!outcome || *outcome == Outcome::kFail || *outcome == Outcome::kError) {
      complain(
          concat({"--sarif-omit: \"", word, "\" is none of pass, waived, not-applicable, not-evaluated and unknown"}));
      return false;
    }
    omitted.insert(*outcome);
  }
  return true;
}

// "14d" or "14".
std::optional<std::int64_t> parse_days(std::string_view text) {
  if (text.ends_with('d')) text.remove_suffix(1);
  constexpr std::uint64_t kLongest = 36'500;
  const auto days = parse_unsigned(text);
  if (!days || *days > kLongest) return std::nullopt;
  return static_cast<std::int64_t>(*days);
}

bool parse_options(AuditCommand& command) {
  if (!command.sarif_omit.empty() && !parse_omitted(command.sarif_omit, command.omitted)) return false;
  if (!command.fail_on_expiring.empty()) command.expiring_days = parse_days(command.fail_on_expiring);
  if (!command.fail_on_expiring.empty() && !command.expiring_days) {
    complain(concat({"--fail-on-expiring ", command.fail_on_expiring, ": write a number of days: 14d"}));
    return false;
  }
  return true;
}

void use_waivers(const AuditCommand& command, const std::vector<Waiver>& waivers, const Catalog& catalog,
                 Report& report) {
  for (const auto& path : command.waivers)
    report.warnings.push_back(concat({"waivers of ", path, " are used because an option names it"}));
  apply_waivers(waivers, waiver_day(catalog, report.started), report);
  sort_findings(report.rules);
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

// What was asked and cannot be had is told before the machine is looked at.
struct Prepared {
  std::vector<ReportTarget> targets;
  std::vector<Waiver> waivers;
  std::optional<Report> baseline;
  Gate gate;
};

// Nothing, and the exit code, when it cannot begin.
std::optional<Prepared> prepare(AuditCommand& command, int& exit_code) {
  exit_code = kExitUsage;
  auto targets = report_targets(command.format, command.output, command.reports);
  const auto gate = parse_severity(command.fail_on);
  if (!gate) complain("--fail-on: the severities are critical, high, medium, low and info");
  if (!targets || !gate || !parse_options(command)) return std::nullopt;
  exit_code = kExitNoVerdict;
  auto waivers = load_waivers_or_complain(command.waivers);
  if (!waivers) return std::nullopt;
  Prepared out{std::move(*targets), std::move(*waivers), std::nullopt, {*gate, command.allow_unknown}};
  if (command.baseline.empty()) return out;
  auto baseline = read_report_file(command.baseline);
  if (!baseline) {
    complain(baseline.error().message);
    return std::nullopt;
  }
  out.baseline = std::move(baseline).value();
  return out;
}

// The verdict once waivers, the baseline and days that end are known.
void settle(const AuditCommand& command, const Prepared& prepared, const Catalog& catalog, Report& report) {
  use_waivers(command, prepared.waivers, catalog, report);
  report.exit_code = exit_code(report.rules, prepared.gate);
  if (prepared.baseline) {
    mark_baseline(*prepared.baseline, report);
    report.exit_code = exit_code_of_new(report, command.allow_unknown);
    if (prepared.baseline->host.name != report.host.name)
      report.warnings.push_back(concat({"the baseline is of another host, ", prepared.baseline->host.name}));
  }
  if (command.expiring_days && any_expires_within(report, *command.expiring_days)) report.exit_code = 2;
}

int run_audit_command(AuditCommand& command) {
  const auto start = std::chrono::steady_clock::now();
  int exit_code = kExitOk;
  const auto prepared = prepare(command, exit_code);
  if (!prepared) return exit_code;
  const bool progress = !command.quiet && ::isatty(STDERR_FILENO) != 0;
  // The readers open the host while the rules are loaded.
  auto source = launch_readers(command.host, progress);
  if (!source) return no_verdict(source.error());
  auto catalog = load_catalog_or_complain(command.rules);
  if (!catalog) return kExitNoVerdict;
  auto selection = select_or_complain(*catalog, command.rules);
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
  run_audit(*std::move(selection), catalog->techniques, {prepared->gate, command.deep, !command.no_compute}, tables,
            report);
  settle(command, *prepared, *catalog, report);
  if (progress) std::fputs("\r\x1b[K", stderr);
  report.duration_us =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start).count();
  if (!write_report(report, prepared->targets, writer_options(command), terminal_options(command)))
    return kExitNoVerdict;
  return command.exit_zero ? kExitOk : report.exit_code;
}

std::string format_names() {
  std::vector<std::string> names;
  for (const auto& format : report_formats()) names.emplace_back(format.name);
  return join(names, ", ");
}

}  // namespace

void add_audit_command(CLI::App& app, Runner& run) {
  auto command = std::make_shared<AuditCommand>();
  auto* sub = app.add_subcommand("audit", "Judge this machine, an image or a capture");
  add_rule_options(*sub, command->rules);
  add_host_options(*sub, command->host);
  sub->add_option("-f,--format", command->format, "Report format: " + format_names())->capture_default_str();
  sub->add_option("-o,--output", command->output, "Write the report to this file");
  sub->add_option("--report", command->reports, "format=file, beside the main report; may be repeated");
  sub->add_option("--fail-on", command->fail_on, "Least severity that decides the exit code")->capture_default_str();
  sub->add_option("--color", command->color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  sub->add_option("--waivers", command->waivers, "File of waivers, beside /etc/gpuharden/waivers.d; may be repeated");
  sub->add_option("--fail-on-expiring", command->fail_on_expiring,
                  "Exit 2 when a waiver in use ends within that many days: 14d");
  sub->add_option("--baseline", command->baseline, "JSON report: only what it does not have decides the exit code");
  sub->add_option("--sarif-omit", command->sarif_omit,
                  "Outcomes that SARIF leaves out, for readers that take each result for an alert: pass,waived");
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
