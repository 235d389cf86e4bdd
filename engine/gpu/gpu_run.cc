// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/gpu/gpu_run.h"

#include <algorithm>
#include <map>

#include "engine/base/text.h"
#include "engine/gpu/gpu_choice.h"
#include "engine/gpu/host_facts.h"
#include "engine/gpu/worker_claim.h"

namespace gpuharden {
namespace {

constexpr std::chrono::milliseconds kListDeadline{30'000};

std::string_view driver_of(std::string_view vendor) { return vendor == "cuda" ? "nvidia" : "amdgpu"; }

class Run {
 public:
  Run(const GpuRunOptions& options, TableSource& source) : options_(options), source_(source) {
    run_.seed = options.seed.value_or(0);
    if (!options.seed) run_.seed = random_seed();
  }

  GpuRun run() {
    bus_ = read_bus(source_);
    const auto vendors = vendors_to_ask();
    if (vendors.empty()) say_what_is_missing();
    if (vendors.empty() && !options_.has_opencl) return std::move(run_);
    const auto before = read_logged_errors(source_);
    ask(claim(vendors));
    if (wanted_.empty() && options_.has_opencl && options_.library.empty()) ask({"opencl"});
    examine();
    take_errors(new_errors(before, read_logged_errors(source_)));
    compare_with_bus();
    conclude();
    return std::move(run_);
  }

 private:
  struct Device {
    std::string vendor;
    std::int64_t index = 0;
    std::size_t peers = 0;
    std::string uuid;  // where only this one is to be seen by its worker
  };

  std::vector<std::string> vendors_to_ask() const {
    if (!options_.library.empty()) return {options_.vendor};
    std::vector<std::string> vendors;
    for (const auto* vendor : {"cuda", "hip"}) {
      const bool has_driver = std::any_of(bus_.gpus.begin(), bus_.gpus.end(),
                                          [&](const BusGpu& gpu) { return gpu.driver == driver_of(vendor); });
      if (has_driver || !bus_.is_complete) vendors.emplace_back(vendor);
    }
    return vendors;
  }

  void say_what_is_missing() {
    if (bus_.gpus.empty()) run_.notes.emplace_back("there is no NVIDIA or AMD GPU on the PCI bus");
    for (const auto& gpu : bus_.gpus)
      run_.notes.push_back(
          concat({gpu.address, " (", gpu.vendor,
                  "): ", gpu.driver.empty() ? "no kernel driver has it" : "its kernel driver is ", gpu.driver}));
    if (options_.expected_devices > 0) run_.outcome = GpuOutcome::kFailed;
  }

  // Runs on other devices may go side by side, as each instance of MIG needs one of its own.
  std::string scope() const {
    std::string text = concat({options_.library, "\n", join(options_.environment, "\n")});
    for (const auto device : options_.devices) text += concat({"\n", std::to_string(device)});
    return text;
  }

  // Those that nobody else is asking.
  std::vector<std::string> claim(const std::vector<std::string>& vendors) {
    std::vector<std::string> ours;
    for (const auto& vendor : vendors) {
      auto claim = WorkerClaim::take(vendor, scope());
      if (claim) {
        claims_.emplace(vendor, std::move(*claim));
        ours.push_back(vendor);
        continue;
      }
      GpuVerdict verdict;
      verdict.vendor = vendor;
      verdict.reason = "busy";
      verdict.sentence =
          "another run of gpuharden is asking this driver, or an earlier one's worker hangs in it and cannot be ended";
      run_.devices.push_back(std::move(verdict));
    }
    return ours;
  }

  WorkerCommand command_for(std::string_view vendor) const {
    WorkerCommand command{options_.worker, {"--vendor", std::string(vendor)}, options_.environment, kListDeadline};
    if (options_.deadline.count() > 0) command.deadline = options_.deadline;
    if (!options_.library.empty()) command.arguments.insert(command.arguments.end(), {"--library", options_.library});
    if (const auto claim = claims_.find(vendor); claim != claims_.end()) command.held = claim->second.descriptor();
    return command;
  }

  void ask(const std::vector<std::string>& vendors) {
    std::vector<WorkerCommand> commands;
    for (const auto& vendor : vendors) {
      commands.push_back(command_for(vendor));
      commands.back().arguments.emplace_back("--list");
    }
    const auto transcripts = run_workers(commands);
    for (std::size_t i = 0; i < vendors.size(); ++i) take_list(vendors[i], transcripts[i]);
  }

  void take_list(const std::string& vendor, const WorkerTranscript& transcript) {
    GpuVerdict verdict = judge_end(transcript);
    // Where MIG made no instance of the only GPU, the driver shows none.
    if (verdict.reason == "no-device" && is_split(transcript)) return take_split(vendor, transcript);
    if (verdict.outcome != GpuOutcome::kPass) {
      verdict.vendor = vendor;
      verdict.index = -1;
      run_.devices.push_back(std::move(verdict));
      return;
    }
    if (vendor == "opencl") return take_opencl(transcript);
    if (is_split(transcript)) return take_split(vendor, transcript);
    std::vector<Device> found;
    for (const auto& line : transcript.lines) {
      if (line.kind() != "device" || !line.number("index")) continue;
      const auto index = static_cast<std::int64_t>(*line.number("index") & 0xFFFFFU);
      seen_.push_back(std::string(line.text("pci")));
      // Of its sisters nothing is known where the management library did not list them.
      const bool is_one_of_several = !chooses_devices(options_.environment) && is_instance_name(line.text("name"));
      if (is_one_of_several) run_.notes.push_back(concat({line.text("pci"), ": only one instance of MIG was seen"}));
      is_short_ = is_short_ || is_one_of_several;
      if (!is_chosen(index)) continue;
      if (options_.devices.empty() && is_integrated(line.text("architecture"))) {
        run_.notes.push_back(concat({line.text("pci"), " is part of a processor and was not examined"}));
        continue;
      }
      found.push_back({vendor, index, 0, ""});
    }
    if (found.size() > 1 && options_.level >= kernels::Level::kStandard) {
      for (auto& device : found) device.peers = 1;
    }
    wanted_.insert(wanted_.end(), found.begin(), found.end());
  }

  bool is_split(const WorkerTranscript& transcript) const {
    return !chooses_devices(options_.environment) &&
           std::any_of(transcript.lines.begin(), transcript.lines.end(),
                       [](const WorkerLine& line) { return line.kind() == "visible"; });
  }

  bool is_chosen(std::int64_t index) const {
    return options_.devices.empty() ||
           std::find(options_.devices.begin(), options_.devices.end(), index) != options_.devices.end();
  }

  // With MIG a process sees one instance at most, and no other GPU beside it: each is given to its worker by name.
  void take_split(const std::string& vendor, const WorkerTranscript& transcript) {
    std::int64_t index = 0;
    for (const auto& line : transcript.lines) {
      if (line.kind() != "visible") continue;
      seen_.push_back(std::string(line.text("pci")));
      const std::string uuid(line.text("uuid"));
      if (!is_chosen(index++)) continue;
      if (is_uuid(uuid)) {
        wanted_.push_back({vendor, index - 1, 0, uuid});
        continue;
      }
      GpuVerdict& verdict = run_.devices.emplace_back();
      verdict.vendor = vendor;
      verdict.index = index - 1;
      verdict.pci = line.text("pci");
      verdict.reason = "mig";
      verdict.sentence = concat({verdict.pci, ": MIG is on and has no instance"});
    }
  }

  // A program that asks OpenCL for any device gets the processor, and says nothing of it.
  void take_opencl(const WorkerTranscript& transcript) {
    for (const auto& line : transcript.lines) {
      if (line.kind() != "device") continue;
      GpuVerdict verdict;
      verdict.vendor = "opencl";
      verdict.index = static_cast<std::int64_t>(line.number("index").value_or(0) & 0xFFFFFU);
      verdict.name = line.text("name");
      const bool is_cpu = line.text("type") == "cpu";
      verdict.outcome = is_cpu ? GpuOutcome::kFailed : GpuOutcome::kNotEvaluated;
      verdict.reason = is_cpu ? "cpu-fallback" : "no-code";
      verdict.sentence = is_cpu ? "OpenCL computes on the processor" : "there are no kernels for OpenCL";
      run_.devices.push_back(std::move(verdict));
    }
  }

  // The next device of the same vendor: a ring reaches every device.
  std::int64_t peer_of(const Device& device) const {
    std::vector<std::int64_t> same;
    for (const auto& other : wanted_) {
      if (other.vendor == device.vendor) same.push_back(other.index);
    }
    const auto at = std::find(same.begin(), same.end(), device.index) - same.begin();
    return same.at((static_cast<std::size_t>(at) + 1) % same.size());
  }

  void examine() {
    std::vector<WorkerCommand> commands;
    for (const auto& device : wanted_) {
      auto command = command_for(device.vendor);
      command.deadline = options_.deadline.count() > 0 ? options_.deadline : deadline_of(options_.level);
      if (!device.uuid.empty()) command.environment.push_back("CUDA_VISIBLE_DEVICES=" + device.uuid);
      const std::int64_t index = device.uuid.empty() ? device.index : 0;
      const std::vector<std::string> more = {"--device", std::to_string(index),
                                             "--level",  std::string(kernels::to_string(options_.level)),
                                             "--seed",   std::to_string(run_.seed)};
      command.arguments.insert(command.arguments.end(), more.begin(), more.end());
      if (device.peers > 0)
        command.arguments.insert(command.arguments.end(), {"--peers", std::to_string(peer_of(device))});
      if (!options_.fault.empty()) command.arguments.insert(command.arguments.end(), {"--inject", options_.fault});
      commands.push_back(std::move(command));
    }
    const auto transcripts = run_workers(commands);
    Expectations expectations;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const Examined examined{options_.level, run_.seed, wanted_[i].peers,
                              options_.level == kernels::Level::kTiny ? 0 : options_.min_gflops};
      GpuVerdict verdict = judge(transcripts[i], examined, expectations);
      verdict.vendor = wanted_[i].vendor;
      verdict.index = wanted_[i].index;
      verdict.uuid = wanted_[i].uuid;
      run_.devices.push_back(std::move(verdict));
    }
  }

  // An error of the kernel belongs to a device by its address; "0000:33:00" is how Xids give it.
  void take_errors(const std::vector<std::string>& errors) {
    for (const auto& error : errors) {
      run_.notes.push_back(concat({"while this ran the kernel logged ", error}));
      for (auto& verdict : run_.devices) {
        const std::string address = verdict.pci.substr(0, verdict.pci.rfind('.'));
        if (address.empty() || !error.ends_with(address)) continue;
        verdict.outcome = GpuOutcome::kFailed;
        if (verdict.reason == "pass") verdict.reason = "device-error";
        verdict.sentence =
            concat({verdict.sentence, verdict.sentence.empty() ? "" : "; ", "the kernel logged ", error});
      }
    }
  }

  // PASS of one device says nothing of another that the driver does not show (C153).
  void compare_with_bus() {
    if (chooses_devices(options_.environment) || !options_.library.empty() || !options_.devices.empty()) return;
    for (const auto& gpu : bus_.gpus) {
      if (!gpu.is_wanted || gpu.driver == "vfio-pci") continue;
      if (std::find(seen_.begin(), seen_.end(), gpu.address) != seen_.end()) continue;
      run_.notes.push_back(concat({gpu.address, " (", gpu.vendor, ") is on the bus, and no driver showed it"}));
      is_short_ = true;
    }
  }

  bool is_accepted(const GpuVerdict& verdict) const {
    return verdict.outcome == GpuOutcome::kNotEvaluated &&
           std::find(options_.accepted.begin(), options_.accepted.end(), verdict.reason) != options_.accepted.end();
  }

  void conclude() {
    GpuOutcome worst = run_.devices.empty() || is_short_ ? GpuOutcome::kNotEvaluated : GpuOutcome::kPass;
    for (const auto& verdict : run_.devices) {
      if (!is_accepted(verdict)) worst = std::max(worst, verdict.outcome);
    }
    const auto shown = static_cast<std::int64_t>(wanted_.size());
    if (options_.expected_devices > shown) {
      run_.notes.push_back(concat(
          {std::to_string(options_.expected_devices), " GPUs are expected, ", std::to_string(shown), " are there"}));
      worst = GpuOutcome::kFailed;
    }
    run_.outcome = worst;
  }

  const GpuRunOptions& options_;
  TableSource& source_;
  GpuRun run_;
  BusGpus bus_;
  std::vector<Device> wanted_;
  std::map<std::string, WorkerClaim, std::less<>> claims_;  // by vendor
  std::vector<std::string> seen_;                           // PCI addresses that drivers showed
  bool is_short_ = false;
};

}  // namespace

GpuRun run_gpus(const GpuRunOptions& options, TableSource& source) { return Run(options, source).run(); }

}  // namespace gpuharden
