// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/containers/container_gpus.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Character devices of GPUs by major number, as in --device-cgroup-rule "c 195:* rwm"; '*' is all.
constexpr std::array<std::string_view, 3> kGpuMajors = {"195", "226", "*"};
constexpr std::array<std::string_view, 3> kWholeFolders = {"/dev", "/dev/", "/dev/dri"};

void give(DockerContainer& container, GpuShare share, std::string way) {
  container.gpus = std::max(container.gpus, share);
  container.gpu_ways.push_back(std::move(way));
}

std::string variable(const Json& config, std::string_view name) {
  std::string value;
  for (const auto& entry : json_texts(json_field(json_field(config, "Config"), "Env"))) {
    const auto equals = entry.find('=');
    if (equals != std::string::npos && std::string_view(entry).substr(0, equals) == name)
      value = entry.substr(equals + 1);
  }
  return value;
}

void take_devices(DockerContainer& container) {
  for (const auto& path : container.devices) {
    std::string_view device(path);
    while (device.size() > 1 && device.back() == '/') device.remove_suffix(1);
    const bool is_whole = std::find(kWholeFolders.begin(), kWholeFolders.end(), device) != kWholeFolders.end();
    const bool is_gpu = device == "/dev/kfd" || device.starts_with("/dev/dri/") || device.starts_with("/dev/nvidia");
    if (is_whole || is_gpu) give(container, is_whole ? GpuShare::kAll : GpuShare::kSome, std::string(device));
  }
}

// "a", "a *:* rwm", "c 195:* rwm".
void take_device_rules(DockerContainer& container) {
  for (const auto& rule : container.device_rules) {
    const auto words = split_words(rule);
    if (words.empty() || (words[0] != "a" && words[0] != "c")) continue;
    const auto number = words.size() > 1 ? words[1] : std::string_view("*:*");
    const auto colon = number.find(':');
    const auto major = words[0] == "a" ? std::string_view("*") : number.substr(0, colon);
    if (std::find(kGpuMajors.begin(), kGpuMajors.end(), major) == kGpuMajors.end()) continue;
    const bool is_all = words[0] == "a" || colon == std::string_view::npos || number.substr(colon + 1) == "*";
    give(container, is_all ? GpuShare::kAll : GpuShare::kSome, concat({"--device-cgroup-rule ", rule}));
  }
}

bool asks_for_gpus(const Json& request) {
  const auto driver = json_text(request, "Driver");
  if (driver == "nvidia" || driver == "cdi" || driver == "amd") return true;
  const auto& alternatives = json_field(request, "Capabilities");
  if (!alternatives.is_array()) return false;
  return std::any_of(alternatives.begin(), alternatives.end(), [](const Json& one) {
    const auto words = json_texts(one);
    return std::find(words.begin(), words.end(), "gpu") != words.end();
  });
}

void take_requests(const Json& host_config, DockerContainer& container) {
  const auto& requests = json_field(host_config, "DeviceRequests");
  if (!requests.is_array()) return;
  for (const auto& request : requests) {
    if (!asks_for_gpus(request)) continue;
    const auto ids = json_texts(json_field(request, "DeviceIDs"));
    const auto names_all = [](const std::string& id) { return id == "all" || id.ends_with("=all"); };
    const bool is_all = json_integer(request, "Count") == -1 || std::any_of(ids.begin(), ids.end(), names_all);
    const auto what = !ids.empty() ? join(ids, ",") : std::to_string(json_integer(request, "Count"));
    give(container, is_all ? GpuShare::kAll : GpuShare::kSome,
         concat({"--gpus ", is_all && ids.empty() ? "all" : what}));
  }
}

// The variables count only where a hook of the vendor's runtime reads them.
void take_variable(const Json& config, DockerContainer& container, std::string_view runtime, std::string_view name) {
  if (container.runtime.find(runtime) == std::string::npos) return;
  const auto value = variable(config, name);
  if (value.empty() || value == "void" || value == "none") return;
  give(container, value == "all" ? GpuShare::kAll : GpuShare::kSome, concat({name, "=", value}));
}

}  // namespace

void find_container_gpus(const Json& config, const Json& host_config, DockerContainer& container) {
  if (container.is_privileged) give(container, GpuShare::kAll, "--privileged");
  take_devices(container);
  take_device_rules(container);
  take_requests(host_config, container);
  take_variable(config, container, "nvidia", "NVIDIA_VISIBLE_DEVICES");
  take_variable(config, container, "amd", "AMD_VISIBLE_DEVICES");
  container.mig_config = variable(config, "NVIDIA_MIG_CONFIG_DEVICES");
}

}  // namespace gpuharden
