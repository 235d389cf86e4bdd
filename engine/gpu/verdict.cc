// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/gpu/verdict.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "engine/gpu/checks.h"

namespace gpuharden {
namespace {

struct ReasonText {
  std::string_view reason, sentence;
};
// What to do about it, where it is not in the reason itself.
constexpr ReasonText kReasons[] = {
    {"no-driver", "the vendor's library is not installed"},
    {"stub-library", "the library is the toolkit's stub: the driver's own is not installed"},
    {"no-device", "the driver shows no device"},
    {"permission", "the device files cannot be opened"},
    {"busy", "the device is in exclusive mode, or its driver takes no further client"},
    {"in-use", "other processes use the device"},
    {"out-of-memory", "there is not enough free memory on the device"},
    {"old-driver", "the driver is too old for the kernels of this build"},
    {"no-code", "this build has no kernels for the device"},
    {"mig", "MIG is on and no instance was made: there is nothing that a program could use"},
    {"fabric", "the NVSwitch fabric is not ready: is nvidia-fabricmanager of the driver's version and running"},
    {"driver-mismatch", "the driver's library and kernel module differ: reload the module or reboot"},
    {"untrusted-library", "the vendor's library could be changed by others than root"},
    {"device-error", "the device failed while it computed"},
    {"error", "the driver refused"},
};

std::string_view sentence_of(std::string_view reason) {
  for (const auto& known : kReasons) {
    if (known.reason == reason) return known.sentence;
  }
  return {};
}

std::string last_stage(const WorkerTranscript& transcript) {
  std::string stage = "start";
  for (const auto& line : transcript.lines) {
    if (line.kind() == "stage") stage = line.text("name");
  }
  return stage;
}

const WorkerLine* find_kind(const WorkerTranscript& transcript, std::string_view kind) {
  const auto found = std::find_if(transcript.lines.begin(), transcript.lines.end(),
                                  [&](const WorkerLine& line) { return line.kind() == kind; });
  return found == transcript.lines.end() ? nullptr : &*found;
}

void conclude(GpuVerdict& verdict, GpuOutcome outcome, std::string_view reason, std::string sentence) {
  verdict.outcome = outcome;
  verdict.reason = reason;
  verdict.sentence = std::move(sentence);
}

void take_problem(const WorkerLine& line, GpuVerdict& verdict) {
  const auto reason = line.text("reason");
  const bool is_known = !sentence_of(reason).empty();
  std::string sentence(sentence_of(is_known ? reason : "error"));
  if (!line.text("call").empty())
    sentence += concat({" (", line.text("call"), ": ", std::to_string(line.number("code").value_or(0)), " ",
                        line.text("detail"), ")"});
  if (line.text("call").empty() && !line.text("detail").empty()) sentence += concat({": ", line.text("detail")});
  conclude(verdict, reason == "device-error" ? GpuOutcome::kFailed : GpuOutcome::kNotEvaluated,
           is_known ? reason : "error", std::move(sentence));
}

void describe(const WorkerTranscript& transcript, GpuVerdict& verdict) {
  if (const auto* driver = find_kind(transcript, "driver")) verdict.vendor = driver->text("vendor");
  if (const auto* code = find_kind(transcript, "code")) verdict.code = code->text("loaded");
  if (const auto* device = find_kind(transcript, "device")) {
    verdict.index = static_cast<std::int64_t>(std::min<std::uint64_t>(device->number("index").value_or(0), 1U << 20U));
    verdict.name = device->text("name");
    verdict.pci = device->text("pci");
    verdict.architecture = device->text("architecture");
    verdict.memory = device->number("memory").value_or(0);
    verdict.units = device->number("units").value_or(0);
    verdict.clock_mhz = device->number("clock_mhz").value_or(0);
  }
  verdict.took_ms = transcript.took.count();
}

void describe_library(const WorkerTranscript& transcript, GpuLibrary& library) {
  if (const auto* line = find_kind(transcript, "library")) {
    library.name = line->text("name");
    library.path = line->text("path");
    library.version = line->number("version").value_or(0);
    library.why_not = line->text("why");
  }
  for (const auto& line : transcript.lines) {
    if (line.kind() == "library-refused")
      library.refusals.push_back(concat({line.text("format"), ": ", line.text("detail"), " (", line.text("call"), ", ",
                                         std::to_string(line.number("code").value_or(0)), ")"}));
  }
}

GpuMemory memory_of(const WorkerLine& line) {
  const auto flag = [&](std::string_view key) -> std::optional<bool> {
    const auto number = line.number(key);
    return number ? std::optional(*number != 0) : std::nullopt;
  };
  GpuMemory memory{
      flag("ecc"),           line.number("corrected"), line.number("uncorrected"),       line.number("remapped_rows"),
      flag("remap_pending"), flag("remap_failed"),     std::string(line.text("trouble"))};
  if (const auto retires = flag("retirement_pending"); retires && !memory.reset_pending.value_or(false))
    memory.reset_pending = retires;
  return memory;
}

const WorkerLine* find_health(const WorkerTranscript& transcript, std::string_view when) {
  const auto found = std::find_if(transcript.lines.begin(), transcript.lines.end(), [&](const WorkerLine& line) {
    return line.kind() == "health" && line.text("when") == when;
  });
  return found == transcript.lines.end() ? nullptr : &*found;
}

std::uint64_t grown(const std::optional<std::uint64_t>& before, const std::optional<std::uint64_t>& after) {
  return before && after && *after > *before ? *after - *before : 0;
}

// A device whose memory lost data while every sum was right does not pass; what only waits for a reset is told.
void judge_memory(const WorkerTranscript& transcript, GpuVerdict& verdict) {
  const auto* before = find_health(transcript, "before");
  const auto* after = find_health(transcript, "after");
  if (before == nullptr && after == nullptr) return;
  verdict.memory_health = memory_of(after != nullptr ? *after : *before);
  if (verdict.outcome != GpuOutcome::kPass || before == nullptr || after == nullptr) return;
  const GpuMemory& now = verdict.memory_health;
  const GpuMemory then = memory_of(*before);
  if (const auto lost = grown(then.uncorrected, now.uncorrected); lost > 0) {
    return conclude(verdict, GpuOutcome::kFailed, "device-error",
                    concat({std::to_string(lost), " memory errors that could not be corrected while this ran"}));
  }
  if (now.remap_failed.value_or(false)) {
    return conclude(verdict, GpuOutcome::kFailed, "device-error",
                    "a bad row of its memory could not be replaced, since no spare row is left");
  }
  std::vector<std::string> remarks;
  if (const auto count = grown(then.corrected, now.corrected); count > 0)
    remarks.push_back(concat({std::to_string(count), " memory errors were corrected while this ran"}));
  if (!now.trouble.empty()) remarks.push_back(concat({"its memory errors could not be read: ", now.trouble}));
  if (now.reset_pending.value_or(false))
    remarks.emplace_back("a bad part of its memory is in use until the next reset");
  verdict.sentence = join(remarks, "; ");
}

}  // namespace

std::string_view to_string(GpuOutcome outcome) {
  static constexpr std::array<std::string_view, 3> kWords = {"pass", "not evaluated", "failed"};
  return kWords.at(static_cast<std::size_t>(outcome));
}

Expectations::Folds Expectations::product(const kernels::ProductKey& key) {
  const auto known = products_.find(key);
  if (known != products_.end()) return known->second;
  const auto sums = kernels::expected_sums(key);
  return products_[key] = {kernels::fold(sums.rows), kernels::fold(sums.columns)};
}

std::uint64_t Expectations::data(std::uint64_t count, std::uint64_t seed) {
  const auto known = data_.find({count, seed});
  if (known != data_.end()) return known->second;
  return data_[{count, seed}] = kernels::expected_data(count, seed);
}

kernels::BinSums Expectations::bins(std::uint64_t count, std::uint32_t bits, std::uint64_t seed) {
  const auto known = bins_.find({count, seed});
  if (known != bins_.end()) return known->second;
  return bins_[{count, seed}] = kernels::expected_bins(count, bits, seed);
}

GpuVerdict judge_end(const WorkerTranscript& transcript) {
  GpuVerdict verdict;
  describe(transcript, verdict);
  const std::string stage = last_stage(transcript);
  if (transcript.timed_out) {
    conclude(verdict, GpuOutcome::kFailed, "unresponsive",
             concat({"no answer within ", std::to_string(transcript.took.count() / 1000), " s, at ", stage,
                     transcript.left_behind ? "; the process does not end and was left behind" : ""}));
  } else if (!transcript.fault.empty()) {
    // Then it was asked to end.
    conclude(verdict, GpuOutcome::kNotEvaluated, "error", transcript.fault);
  } else if (transcript.signal != 0) {
    conclude(verdict, GpuOutcome::kFailed, "crashed",
             concat({"the vendor's code crashed (signal ", std::to_string(transcript.signal), "), at ", stage}));
  } else if (const auto* problem = find_kind(transcript, "problem")) {
    take_problem(*problem, verdict);
  } else if (transcript.exit_code == 127) {
    conclude(verdict, GpuOutcome::kNotEvaluated, "error", "gpu-worker could not be started");
  } else if (find_kind(transcript, "end") == nullptr || transcript.exit_code != 0) {
    conclude(verdict, GpuOutcome::kNotEvaluated, "incomplete",
             concat({"gpu-worker ended (", std::to_string(transcript.exit_code), ") before it was done, at ", stage}));
  } else {
    conclude(verdict, GpuOutcome::kPass, "pass", {});
  }
  return verdict;
}

GpuVerdict judge(const WorkerTranscript& transcript, const Examined& examined, Expectations& expectations) {
  GpuVerdict verdict = judge_end(transcript);
  describe_library(transcript, verdict.library);
  auto checks = judge_checks(transcript, examined, expectations);
  verdict.checks = std::move(checks.made);
  // A wrong result stays one, whatever came after it.
  const auto wrong =
      std::find_if(verdict.checks.begin(), verdict.checks.end(), [](const GpuCheck& check) { return !check.passed; });
  if (wrong != verdict.checks.end()) {
    conclude(verdict, GpuOutcome::kFailed, "mismatch", concat({wrong->name, ": ", wrong->detail}));
    return verdict;
  }
  if (verdict.outcome != GpuOutcome::kPass) return verdict;
  if (!checks.missing.empty()) {
    conclude(verdict, GpuOutcome::kNotEvaluated, "incomplete", concat({"not made: ", join(checks.missing, ", ")}));
    return verdict;
  }
  const auto fp32 = std::find_if(verdict.checks.begin(), verdict.checks.end(),
                                 [](const GpuCheck& check) { return check.name == "fp32"; });
  judge_memory(transcript, verdict);
  if (verdict.outcome == GpuOutcome::kPass && fp32->gflops < examined.min_gflops)
    conclude(verdict, GpuOutcome::kFailed, "too-slow",
             concat({"fp32: ", std::to_string(static_cast<std::int64_t>(fp32->gflops)), " GFLOP/s, ",
                     std::to_string(static_cast<std::int64_t>(examined.min_gflops)), " are asked for"}));
  return verdict;
}

}  // namespace gpuharden
