// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/gpu/gpu_report.h"

#include "checks/system/json_fields.h"
#include "engine/base/text.h"
#include "engine/host/gpu_report_door.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxDevices = 1024;
constexpr std::size_t kMaxChecks = 256;
constexpr double kMaxRate = 1e15;

Error malformed(std::string_view why) { return {ErrorCode::kMalformed, concat({"the report of the GPUs: ", why})}; }

std::optional<std::int64_t> whole(const Json& object, const char* name) {
  const Json& field = json_field(object, name);
  if (!field.is_number()) return std::nullopt;
  const double value = field.get<double>();
  if (!(value >= 0 && value < kMaxRate)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::optional<bool> flag(const Json& object, const char* name) {
  return json_field(object, name).is_boolean() ? std::optional(json_boolean(object, name)) : std::nullopt;
}

Result<ReportedCheck> parse_check(const Json& json) {
  ReportedCheck check;
  check.name = json_text(json, "name");
  if (check.name.empty() || !json_field(json, "passed").is_boolean())
    return malformed("a check without a name or outcome");
  check.passed = json_boolean(json, "passed");
  check.detail = json_text(json, "detail");
  check.gflops = whole(json, "gflops");
  check.gbytes = whole(json, "gbytes_per_second");
  check.matrix_unit = flag(json, "matrix_unit");
  return check;
}

Result<ReportedGpu> parse_device(const Json& json) {
  ReportedGpu gpu;
  gpu.vendor = json_text(json, "vendor");
  gpu.outcome = json_text(json, "outcome");
  gpu.reason = json_text(json, "reason");
  gpu.sentence = json_text(json, "sentence");
  gpu.name = json_text(json, "name");
  gpu.pci = json_text(json, "pci");
  gpu.architecture = json_text(json, "architecture");
  gpu.index = whole(json, "index");
  gpu.memory = whole(json, "memory_bytes");
  gpu.uuid = json_text(json, "uuid");
  const Json& health = json_field(json, "memory_health");
  gpu.memory_trouble = json_text(health, "trouble");
  gpu.ecc = flag(health, "ecc");
  gpu.corrected = whole(health, "corrected_errors");
  gpu.uncorrected = whole(health, "uncorrected_errors");
  gpu.remapped_rows = whole(health, "remapped_rows");
  gpu.reset_pending = flag(health, "reset_pending");
  gpu.remap_failed = flag(health, "remap_failed");
  const bool is_known = gpu.outcome == "pass" || gpu.outcome == "failed" || gpu.outcome == "not evaluated";
  if (gpu.vendor.empty() || gpu.reason.empty() || !is_known) return malformed("a device without a vendor or outcome");
  const Json& checks = json_field(json, "checks");
  if (!checks.is_array() || checks.size() > kMaxChecks) return malformed("a device without a list of checks");
  for (const auto& each : checks) {
    GH_ASSIGN_OR_RETURN(ReportedCheck check, parse_check(each));
    gpu.checks.push_back(std::move(check));
  }
  return gpu;
}

}  // namespace

Result<GpuReport> parse_gpu_report(std::string_view text) {
  const auto json = parse_json(text);
  if (!json || json_text(*json, "schema") != "gpuharden.gpu/1") return malformed("it is none of gpuharden.gpu/1");
  GpuReport report;
  report.level = json_text(*json, "level");
  const Json& devices = json_field(*json, "devices");
  if (!devices.is_array() || devices.size() > kMaxDevices) return malformed("no list of devices");
  for (const auto& each : devices) {
    GH_ASSIGN_OR_RETURN(ReportedGpu gpu, parse_device(each));
    report.devices.push_back(std::move(gpu));
  }
  report.notes = json_texts(json_field(*json, "notes"));
  return report;
}

Result<GpuReport> read_gpu_report(const Host& host) {
  if (host.kind() == HostKind::kImage) return Error{ErrorCode::kNotHeld, "an image holds no answer of GPUs"};
  const auto* door = dynamic_cast<const GpuReportDoor*>(&host);
  if (door == nullptr) return Error{ErrorCode::kUnsupported, "the GPUs: nobody asked them"};
  GH_ASSIGN_OR_RETURN(const std::string text, door->gpu_report());
  return parse_gpu_report(text);
}

std::string gpu_label(const ReportedGpu& gpu) {
  return gpu.index ? concat({gpu.vendor, " ", std::to_string(*gpu.index)}) : gpu.vendor;
}

}  // namespace gpuharden
