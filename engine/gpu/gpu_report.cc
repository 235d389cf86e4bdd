// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/gpu/gpu_report.h"

#include <nlohmann/json.hpp>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

nlohmann::ordered_json check_json(const GpuCheck& check) {
  nlohmann::ordered_json json = {{"name", check.name}, {"passed", check.passed}};
  if (!check.detail.empty()) json["detail"] = replace_invalid_utf8(check.detail);
  if (check.gflops > 0) json["gflops"] = check.gflops;
  if (check.gflops > 0 && check.matrix_unit) json["matrix_unit"] = *check.matrix_unit;
  if (check.gbytes > 0) json["gbytes_per_second"] = check.gbytes;
  return json;
}

nlohmann::ordered_json memory_json(const GpuMemory& memory) {
  auto json = nlohmann::ordered_json::object();
  if (memory.ecc) json["ecc"] = *memory.ecc;
  if (memory.corrected) json["corrected_errors"] = *memory.corrected;
  if (memory.uncorrected) json["uncorrected_errors"] = *memory.uncorrected;
  if (memory.remapped_rows) json["remapped_rows"] = *memory.remapped_rows;
  if (memory.reset_pending) json["reset_pending"] = *memory.reset_pending;
  if (memory.remap_failed) json["remap_failed"] = *memory.remap_failed;
  if (!memory.trouble.empty()) json["trouble"] = replace_invalid_utf8(memory.trouble);
  return json;
}

nlohmann::ordered_json library_json(const GpuLibrary& library) {
  if (library.name.empty()) return {{"why_not", replace_invalid_utf8(library.why_not)}};
  auto refusals = nlohmann::ordered_json::array();
  for (const auto& refusal : library.refusals) refusals.push_back(replace_invalid_utf8(refusal));
  return {{"name", replace_invalid_utf8(library.name)},
          {"version", library.version},
          {"path", replace_invalid_utf8(library.path)},
          {"refused", std::move(refusals)}};
}

nlohmann::ordered_json verdict_json(const GpuVerdict& verdict) {
  auto checks = nlohmann::ordered_json::array();
  for (const auto& check : verdict.checks) checks.push_back(check_json(check));
  nlohmann::ordered_json json = {{"vendor", verdict.vendor},
                                 {"outcome", to_string(verdict.outcome)},
                                 {"reason", verdict.reason},
                                 {"sentence", replace_invalid_utf8(verdict.sentence)}};
  if (verdict.index >= 0) {
    json["index"] = verdict.index;
    json["name"] = replace_invalid_utf8(verdict.name);
    json["pci"] = replace_invalid_utf8(verdict.pci);
    json["architecture"] = replace_invalid_utf8(verdict.architecture);
    json["memory_bytes"] = verdict.memory;
    json["code"] = replace_invalid_utf8(verdict.code);
    if (!verdict.uuid.empty()) json["uuid"] = replace_invalid_utf8(verdict.uuid);
    if (auto memory = memory_json(verdict.memory_health); !memory.empty()) json["memory_health"] = std::move(memory);
  }
  json["took_ms"] = verdict.took_ms;
  json["checks"] = std::move(checks);
  if (!verdict.library.name.empty() || !verdict.library.why_not.empty())
    json["matrix_library"] = library_json(verdict.library);
  json["not_covered"] = {"fp8"};
  const bool has_counts = verdict.memory_health.uncorrected || verdict.memory_health.remap_failed;
  if (!has_counts) json["not_covered"].push_back("memory errors");
  return json;
}

}  // namespace

std::string gpu_report_json(const GpuRun& run, const GpuRunOptions& options) {
  auto devices = nlohmann::ordered_json::array();
  for (const auto& verdict : run.devices) devices.push_back(verdict_json(verdict));
  auto notes = nlohmann::ordered_json::array();
  for (const auto& note : run.notes) notes.push_back(replace_invalid_utf8(note));
  auto variables = nlohmann::ordered_json::array();
  for (const auto& variable : options.environment) variables.push_back(replace_invalid_utf8(variable));
  const nlohmann::ordered_json json = {{"schema", "gpuharden.gpu/1"},
                                       {"outcome", to_string(run.outcome)},
                                       {"level", kernels::to_string(options.level)},
                                       {"seed", std::to_string(run.seed)},
                                       {"environment", variables},
                                       {"devices", devices},
                                       {"notes", notes}};
  return json.dump(2) + "\n";
}

}  // namespace gpuharden
