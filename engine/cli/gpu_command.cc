// SPDX-License-Identifier: GPL-2.0-or-later
// gpu: do the GPUs of this machine compute, correctly, at a GPU's speed?
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "engine/base/text.h"
#include "engine/cli/command.h"
#include "engine/gpu/gpu_report.h"

namespace gpuharden {
namespace {

constexpr int kExitFailed = 2;

struct GpuCommand {
  GpuRunOptions run;
  bool quick = false, full = false, tiny = false;
  std::string format = "text";
  std::vector<std::string> devices;
  double timeout = 0;
};

std::string whole(double value) { return std::to_string(static_cast<std::int64_t>(value)); }

std::string check_text(const GpuCheck& check) {
  constexpr std::size_t kWidth = 18;  // of "fp64 by hipBLASLt"
  std::string text = concat({"  ", check.name, std::string(kWidth - std::min(check.name.size(), kWidth - 1), ' '),
                             check.passed ? "ok" : "WRONG"});
  if (check.gflops > 0)
    text += concat({"  ", whole(check.gflops), " GFLOP/s", check.matrix_unit.value_or(false) ? ", matrix units" : ""});
  if (check.gbytes >= 1) text += concat({"  ", whole(check.gbytes), " GB/s"});
  if (!check.detail.empty()) text += concat({"  ", escape_for_terminal(check.detail)});
  return text + "\n";
}

std::string verdict_text(const GpuVerdict& verdict) {
  std::string text = concat({verdict.vendor, verdict.index < 0 ? "" : " " + std::to_string(verdict.index)});
  for (const auto* part : {&verdict.name, &verdict.pci, &verdict.architecture}) {
    if (!part->empty()) text += concat({"  ", escape_for_terminal(*part)});
  }
  text += concat({"  ", to_string(verdict.outcome)});
  if (verdict.outcome != GpuOutcome::kPass) text += concat({" (", verdict.reason, ")"});
  text += concat({"  ", std::to_string(verdict.took_ms), " ms\n"});
  if (!verdict.sentence.empty()) text += concat({"  ", escape_for_terminal(verdict.sentence), "\n"});
  for (const auto& check : verdict.checks) text += check_text(check);
  return text;
}

std::string run_text(const GpuRun& run, kernels::Level level) {
  std::string text;
  for (const auto& verdict : run.devices) text += verdict_text(verdict);
  for (const auto& note : run.notes) text += concat({escape_for_terminal(note), "\n"});
  const auto passed = std::count_if(run.devices.begin(), run.devices.end(),
                                    [](const GpuVerdict& verdict) { return verdict.outcome == GpuOutcome::kPass; });
  return text +
         concat({to_string(run.outcome), ": ", std::to_string(passed), " of ", std::to_string(run.devices.size()),
                 " pass, ", kernels::to_string(level), ", seed ", std::to_string(run.seed), "\n"});
}

std::vector<std::string> gpu_environment() {
  std::vector<std::string> kept;
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (is_gpu_variable(text.substr(0, text.find('=')))) kept.emplace_back(text);
  }
  return kept;
}

bool take_devices(GpuCommand& command) {
  for (const auto& word : command.devices) {
    if (word == "all") continue;
    const auto index = parse_unsigned(word);
    if (!index || *index > 4095) return false;
    command.run.devices.push_back(static_cast<std::int64_t>(*index));
  }
  return true;
}

int exit_code_of(GpuOutcome outcome) {
  if (outcome == GpuOutcome::kFailed) return kExitFailed;
  return outcome == GpuOutcome::kPass ? kExitOk : kExitNoVerdict;
}

int run_gpu_command(GpuCommand command) {
  if (!take_devices(command)) {
    complain("--device is a number or all");
    return kExitUsage;
  }
  auto host = open_live_host();
  if (!host) {
    complain(host.error().message);
    return kExitNoVerdict;
  }
  auto& options = command.run;
  options.level = command.quick ? kernels::Level::kQuick : kernels::Level::kStandard;
  if (command.full) options.level = kernels::Level::kFull;
  if (command.tiny) options.level = kernels::Level::kTiny;
  options.environment = gpu_environment();
  if (options.worker.empty()) options.worker = own_gpu_worker();
  options.deadline = std::chrono::milliseconds(static_cast<std::int64_t>(command.timeout * 1000));
  const auto drivers = (*host)->files().list("/etc/OpenCL/vendors");
  options.has_opencl = drivers && !drivers->empty();
  DirectSource source(**host);
  const GpuRun run = run_gpus(options, source);
  const std::string text = command.format == "json" ? gpu_report_json(run, options) : run_text(run, options.level);
  return print(text) ? exit_code_of(run.outcome) : kExitNoVerdict;
}

}  // namespace

std::optional<GpuRunOptions> quick_gpu_run(const HostOptions& options) {
  if (!options.root.empty() || !options.capture.empty()) return std::nullopt;
  GpuRunOptions run;
  run.environment = gpu_environment();
  run.worker = own_gpu_worker();
  run.deadline = std::chrono::milliseconds(static_cast<std::int64_t>(std::min(options.timeout, 30.0) * 1000));
  return run;
}

void add_gpu_command(CLI::App& app, Runner& run) {
  auto command = std::make_shared<GpuCommand>();
  auto* sub = app.add_subcommand("gpu", "Do the GPUs of this machine compute, correctly and fast?");
  auto* quick = sub->add_flag("--quick", command->quick, "At most a second and 64 MiB for each GPU");
  sub->add_flag("--full", command->full, "Minutes, and nine tenths of the memory; refuses a GPU in use")
      ->excludes(quick);
  sub->add_option("--device", command->devices, "Index as the driver counts, or all; may be repeated");
  command->run.min_gflops = 500;
  sub->add_option("--min-gflops", command->run.min_gflops, "Least rate of an fp32 product")->capture_default_str();
  sub->add_option("--expect-gpus", command->run.expected_devices, "Fail when there are fewer");
  sub->add_option("--ok-if", command->run.accepted, "What need not be evaluated: busy, in-use, out-of-memory")
      ->delimiter(',')
      ->check(CLI::IsMember({"busy", "in-use", "out-of-memory"}));
  sub->add_option("-f,--format", command->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  sub->add_option("--timeout", command->timeout, "Seconds for each worker")->check(CLI::Range(0.1, 86400.0));
  sub->add_option("--seed", command->run.seed, "Instead of a random one: repeats a run");
  sub->add_option("--inject", command->run.fault, "Plants a fault, to see that it is found; see docs/gpu.md");
  // For tests: sizes that a processor can do, one library by its path, and another worker.
  sub->add_flag("--tiny", command->tiny)->group("");
  sub->add_option("--vendor", command->run.vendor)->group("");
  sub->add_option("--library", command->run.library)->group("");
  sub->add_option("--worker", command->run.worker)->group("");
  sub->footer("Exit: 0 every GPU computes; 2 one does not; 1 not evaluated, with the reason.");
  sub->callback([command, &run] { run = [command] { return run_gpu_command(*command); }; });
}

}  // namespace gpuharden
