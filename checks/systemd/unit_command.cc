// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/unit_command.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::array<std::string_view, 6> kSearchPath = {"/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
                                                         "/usr/bin",        "/sbin",          "/bin"};
constexpr std::array<std::string_view, 10> kInterpreters = {"sh",  "bash", "dash", "zsh",  "ksh",
                                                            "env", "perl", "ruby", "node", "exec"};

// Programs and services that compute on GPUs or drive them. Words of a name: "vllm" in "vllm@llama".
constexpr std::array<std::string_view, 40> kServices = {"ollama",
                                                        "vllm",
                                                        "sglang",
                                                        "tritonserver",
                                                        "text-generation-launcher",
                                                        "text-generation-server",
                                                        "tgi",
                                                        "llama-server",
                                                        "llamafile",
                                                        "local-ai",
                                                        "localai",
                                                        "comfyui",
                                                        "invokeai",
                                                        "koboldcpp",
                                                        "xinference",
                                                        "lmdeploy",
                                                        "tabbyapi",
                                                        "aphrodite",
                                                        "ray",
                                                        "jupyterhub",
                                                        "jupyter",
                                                        "jupyter-lab",
                                                        "jupyterlab",
                                                        "torchserve",
                                                        "torchrun",
                                                        "bentoml",
                                                        "whisper",
                                                        "stable-diffusion",
                                                        "automatic1111",
                                                        "nv-hostengine",
                                                        "nvidia-dcgm",
                                                        "dcgm",
                                                        "dcgm-exporter",
                                                        "nvidia-persistenced",
                                                        "nvidia-mps",
                                                        "nvidia-cuda-mps-control",
                                                        "nvidia-fabricmanager",
                                                        "nv-fabricmanager",
                                                        "rdcd",
                                                        "amd-metrics-exporter"};
constexpr std::array<std::string_view, 7> kVariables = {"CUDA_", "NVIDIA_VISIBLE", "HIP_", "ROCR_",
                                                        "HSA_",  "OLLAMA_",        "VLLM_"};
constexpr std::array<std::string_view, 4> kDevices = {"nvidia", "/dev/kfd", "char-kfd", "/dev/dri/renderD"};

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_python(std::string_view name) {
  return name.starts_with("python") && name.find_first_not_of("0123456789.", 6) == std::string_view::npos;
}

bool is_service_name(std::string_view name) {
  const auto lower = to_lower(name);
  return std::any_of(kServices.begin(), kServices.end(), [&](std::string_view service) { return lower == service; });
}

bool names_service(const Unit& unit) {
  auto name = std::string_view(unit.name).substr(0, unit.name.find_first_of("@."));
  if (is_service_name(name)) return true;
  for (const auto& command : commands_of(unit, "ExecStart")) {
    const auto words = std::min<std::size_t>(command.words.size(), 8);
    for (std::size_t i = 0; i < words; ++i) {
      // "python3 -m vllm.entrypoints.openai.api_server"
      const auto word = base_name(command.words[i]);
      const bool is_module = i > 0 && command.words[i - 1] == "-m";
      if (is_service_name(is_module ? word.substr(0, word.find('.')) : word)) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::string> executable_of(const Files& files, const UnitCommand& command) {
  if (command.words.empty() || command.words[0].empty()) return std::nullopt;
  const auto& name = command.words[0];
  if (name[0] == '/') return name;
  for (const auto folder : kSearchPath) {
    auto path = concat({folder, "/", name});
    if (files.stat(path)) return path;
  }
  return std::nullopt;
}

std::optional<std::string> script_of(const UnitCommand& command) {
  if (command.words.empty()) return std::nullopt;
  const auto name = base_name(command.words[0]);
  const bool is_interpreter =
      is_python(name) || std::find(kInterpreters.begin(), kInterpreters.end(), name) != kInterpreters.end();
  if (!is_interpreter) return std::nullopt;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const auto& word = command.words[i];
    // "-c text" and "-m module": what follows are arguments, no script.
    const bool takes_text = word == "-m" || (word.starts_with("-") && !word.starts_with("--") && word.ends_with("c"));
    if (takes_text) return std::nullopt;
    if (word.starts_with('/') && !is_python(base_name(word))) return word;
    if (!word.starts_with('-') && word.find('=') == std::string::npos && name != "env" && !word.starts_with('/'))
      return std::nullopt;
  }
  return std::nullopt;
}

std::vector<UnitCommand> commands_of(const Unit& unit, std::string_view setting) {
  std::vector<UnitCommand> commands;
  for (const auto& one : unit.settings) {
    if (one.name == setting) commands.push_back(parse_unit_command(one.value));
  }
  return commands;
}

bool uses_gpu(const Unit& unit) {
  if (unit.type != "service") return false;
  const auto contains = [](std::string_view text, std::string_view word) {
    return text.find(word) != std::string_view::npos;
  };
  for (const auto& setting : unit.settings) {
    const auto holds = [&](std::string_view word) { return contains(setting.value, word); };
    if (setting.name == "DeviceAllow" && std::any_of(kDevices.begin(), kDevices.end(), holds)) return true;
    if (setting.name == "Environment" && std::any_of(kVariables.begin(), kVariables.end(), holds)) return true;
    if (setting.name != "SupplementaryGroups" && setting.name != "Group") continue;
    for (const auto group : split_words(setting.value)) {
      if (group == "render") return true;
    }
  }
  return names_service(unit);
}

}  // namespace gpuharden
