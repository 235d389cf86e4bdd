// SPDX-License-Identifier: GPL-2.0-or-later
// gpu-worker: the only program that opens a vendor's library. Started by gpuharden for each device, with an empty
// environment; says what it measured and judges nothing.
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/worker/examine.h"
#include "kernels/worker/lines.h"
#include "kernels/worker/nvml.h"
#include "kernels/worker/opencl.h"
#include "kernels/worker/sandbox.h"

namespace gpuharden::kernels {
namespace {

constexpr int kUsage = 64;

struct Options {
  Vendor vendor = Vendor::kCuda;
  bool opencl = false;  // only --list
  bool list = false;
  Examination examination;
};

template <typename Number>
bool parse_number(std::string_view text, Number* out) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), *out);
  return end.ec == std::errc() && end.ptr == text.data() + text.size() && !text.empty();
}

bool parse_peers(std::string_view text, std::vector<int>* peers) {
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    if (!parse_number(text.substr(0, comma), &peers->emplace_back())) return false;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return true;
}

bool set_option(std::string_view name, std::string_view value, Options* options) {
  auto& examination = options->examination;
  if (name == "--vendor") {
    options->vendor = value == "hip" ? Vendor::kHip : Vendor::kCuda;
    options->opencl = value == "opencl";
    return value == "hip" || value == "cuda" || options->opencl;
  }
  if (name == "--library") {
    examination.library = value;
    return !value.empty();
  }
  if (name == "--device") return parse_number(value, &examination.device) && examination.device >= 0;
  if (name == "--seed") return parse_number(value, &examination.seed);
  if (name == "--peers") return parse_peers(value, &examination.peers);
  if (name == "--level") {
    const auto level = parse_level(value);
    examination.level = level.value_or(examination.level);
    return level.has_value();
  }
  const auto fault = parse_fault(value);
  examination.fault = fault.value_or(Fault::kNone);
  return name == "--inject" && fault.has_value();
}

bool parse(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--list") {
      options->list = true;
    } else if (i + 1 >= argc || !set_option(name, argv[++i], options)) {
      return false;
    }
  }
  return true;
}

void send(const Problem& problem) {
  Line("problem")
      .text("reason", problem.reason)
      .text("call", problem.call)
      .number("code", static_cast<std::uint64_t>(problem.code < 0 ? 0 : problem.code))
      .text("detail", problem.detail)
      .send();
}

void send(int index, const DeviceFacts& facts) {
  Line line("device");
  line.number("index", static_cast<std::uint64_t>(index)).text("name", facts.name).text("pci", facts.pci);
  line.text("architecture", facts.architecture).number("memory", facts.memory).number("units", facts.units);
  line.number("clock_mhz", facts.clock_mhz).send();
}

template <typename T>
void add_if_known(Line* line, std::string_view key, const std::optional<T>& value) {
  if (value) line->number(key, static_cast<std::uint64_t>(*value));
}

// Asked beside the driver: without it devices are examined all the same, and less is known of them.
class Management {
 public:
  explicit Management(const Options& options) {
    if (options.vendor != Vendor::kCuda) return;
    enter_stage("nvml");
    const auto failure = nvml_.emplace().open(options.examination.library);
    if (!failure) return;
    say_unknown(*failure);
    nvml_.reset();
  }

  void list() const {
    if (!nvml_) return;
    std::vector<SplitDevice> split;
    if (const auto failure = nvml_->list(&split)) return say_unknown(*failure);
    for (const auto& device : split)
      Line("visible").text("uuid", device.uuid).text("pci", device.pci).flag("instance", device.is_instance).send();
  }

  void tell_memory(std::string_view when, const std::string& pci) const {
    if (!nvml_) return;
    enter_stage("nvml");
    MemoryHealth health;
    if (const auto failure = nvml_->memory_health(pci, &health)) return say_unknown(*failure);
    Line line("health");
    line.text("when", when);
    add_if_known(&line, "ecc", health.ecc);
    add_if_known(&line, "corrected", health.corrected);
    add_if_known(&line, "uncorrected", health.uncorrected);
    add_if_known(&line, "remapped_rows", health.remapped_rows);
    add_if_known(&line, "remap_pending", health.remap_pending);
    add_if_known(&line, "remap_failed", health.remap_failed);
    add_if_known(&line, "retirement_pending", health.retirement_pending);
    if (!health.trouble.empty()) line.text("trouble", health.trouble);
    line.send();
  }

 private:
  static void say_unknown(const Problem& problem) {
    Line("unmanaged").text("call", problem.call).text("detail", problem.detail).send();
  }
  std::optional<Nvml> nvml_;
};

Failure work(const Options& options) {
  if (options.opencl) {
    enter_stage("open");
    return list_opencl(options.examination.library);
  }
  const Management management(options);
  if (options.list) management.list();
  enter_stage("open");
  Driver driver(options.vendor);
  GH_TRY(driver.open(options.examination.library));
  enter_stage("init");
  int devices = 0;
  GH_TRY(driver.start(&devices));
  Line("driver")
      .text("vendor", to_string(options.vendor))
      .text("library", driver.library_path())
      .number("version", static_cast<std::uint64_t>(driver.version() < 0 ? 0 : driver.version()))
      .number("devices", static_cast<std::uint64_t>(devices))
      .send();
  for (int device = 0; device < devices; ++device) {
    if (!options.list && device != options.examination.device) continue;
    DeviceFacts facts;
    GH_TRY(driver.describe(device, &facts));
    send(device, facts);
    if (options.list) continue;
    management.tell_memory("before", facts.pci);
    GH_TRY(examine(driver, options.examination, facts));
    management.tell_memory("after", facts.pci);
    return std::nullopt;
  }
  if (!options.list) return Problem{"no-device", "", 0, "the driver does not show this device"};
  return std::nullopt;
}

int run(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, &options)) {
    std::fputs("gpu-worker: started by gpuharden; it takes --vendor cuda|hip|opencl, --list or --device N, and more\n",
               stderr);
    return kUsage;
  }
  // What is compiled here must not be kept, and nothing is to be left behind.
  ::setenv("CUDA_CACHE_DISABLE", "1", 1);
  ::setenv("AMD_COMGR_CACHE", "0", 1);
  // PoCL makes files when it is only looked at.
  if (options.opencl && !enter_passing_folder()) {
    send({"permission", "mount", 0,
          "OpenCL was not asked: its implementations write files, and there is no place that passes"});
    return 1;
  }
  if (!enter_worker_sandbox()) {
    send({"error", "seccomp", 0, "the kernel refused the worker's system call filter"});
    return 1;
  }
  if (const auto failure = work(options)) {
    send(*failure);
    return 1;
  }
  Line("end").send();
  return 0;
}

}  // namespace
}  // namespace gpuharden::kernels

// What a vendor's library wants to do at the end may hang or crash, and would spoil an answer that is complete.
int main(int argc, char** argv) { ::_exit(gpuharden::kernels::run(argc, argv)); }
