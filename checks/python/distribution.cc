// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/python/distribution.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Sorted. What GPU servers run, what listens for requests, and what loads models of others.
constexpr std::array<std::string_view, 76> kOfInterest = {"accelerate",
                                                          "aiohttp",
                                                          "bentoml",
                                                          "bitsandbytes",
                                                          "cuda-python",
                                                          "cupy",
                                                          "cupy-cuda11x",
                                                          "cupy-cuda12x",
                                                          "cupy-cuda13x",
                                                          "dask",
                                                          "deepspeed",
                                                          "diffusers",
                                                          "distributed",
                                                          "exllamav2",
                                                          "fastapi",
                                                          "flash-attn",
                                                          "gguf",
                                                          "gradio",
                                                          "huggingface-hub",
                                                          "ipykernel",
                                                          "jax",
                                                          "jaxlib",
                                                          "jupyter-server",
                                                          "jupyterhub",
                                                          "jupyterlab",
                                                          "keras",
                                                          "langchain",
                                                          "langflow",
                                                          "litellm",
                                                          "llama-cpp-python",
                                                          "llama-index",
                                                          "lmdeploy",
                                                          "mlflow",
                                                          "mlflow-skinny",
                                                          "mlx",
                                                          "mooncake-transfer-engine",
                                                          "nbconvert",
                                                          "nemo-toolkit",
                                                          "nemoguardrails",
                                                          "notebook",
                                                          "numba",
                                                          "numpy",
                                                          "nvidia-modelopt",
                                                          "onnx",
                                                          "onnxruntime",
                                                          "onnxruntime-gpu",
                                                          "open-webui",
                                                          "opencv-python",
                                                          "peft",
                                                          "picklescan",
                                                          "pillow",
                                                          "pytorch-lightning",
                                                          "pytorch-triton-rocm",
                                                          "ray",
                                                          "safetensors",
                                                          "sentence-transformers",
                                                          "sglang",
                                                          "starlette",
                                                          "tensorboard",
                                                          "tensorflow",
                                                          "tensorrt",
                                                          "tensorrt-llm",
                                                          "text-generation-server",
                                                          "torch",
                                                          "torchaudio",
                                                          "torchserve",
                                                          "torchvision",
                                                          "tornado",
                                                          "transformers",
                                                          "triton",
                                                          "tritonclient",
                                                          "unsloth",
                                                          "uvicorn",
                                                          "vllm",
                                                          "wandb",
                                                          "xgrammar"};

// Lower case, with runs of "-", "_" and "." as one "-".
std::string normal_name(std::string_view name) {
  std::string normal;
  for (const char c : to_lower(name)) {
    const bool is_separator = c == '-' || c == '_' || c == '.';
    if (!is_separator) normal += c;
    if (is_separator && !normal.empty() && normal.back() != '-') normal += '-';
  }
  return normal;
}

// Takes the next CSV field from the front, and whether a comma followed.
std::string next_field(std::string_view& line) {
  std::string field;
  if (!line.starts_with('"')) {
    field = std::string(line.substr(0, line.find(',')));
    line.remove_prefix(std::min(field.size() + 1, line.size()));
    return field;
  }
  std::size_t at = 1;
  for (; at < line.size(); ++at) {
    if (line[at] == '"' && line.substr(at, 2) != "\"\"") break;
    if (line[at] == '"') ++at;
    field += line[at];
  }
  line.remove_prefix(std::min(at + 1, line.size()));
  line.remove_prefix(std::min(line.find(',') == 0 ? std::size_t{1} : std::size_t{0}, line.size()));
  return field;
}

}  // namespace

std::optional<Distribution> parse_distribution(std::string_view entry) {
  constexpr std::string_view kDistInfo = ".dist-info";
  constexpr std::string_view kEggInfo = ".egg-info";
  const bool is_dist_info = entry.ends_with(kDistInfo);
  if (!is_dist_info && !entry.ends_with(kEggInfo)) return std::nullopt;
  auto stem = entry.substr(0, entry.size() - (is_dist_info ? kDistInfo : kEggInfo).size());
  // An egg's name may go on with the version of Python: PyYAML-6.0-py3.11.egg-info.
  const auto python = stem.rfind("-py");
  if (!is_dist_info && python != std::string_view::npos) stem = stem.substr(0, python);
  const auto dash = stem.find('-');
  if (dash == 0 || stem.empty()) return std::nullopt;
  Distribution found;
  found.name = normal_name(stem.substr(0, dash));
  if (dash != std::string_view::npos) found.version = std::string(stem.substr(dash + 1));
  found.folder = std::string(entry);
  found.has_record = is_dist_info;
  return found;
}

bool is_package_of_interest(std::string_view name) {
  return std::binary_search(kOfInterest.begin(), kOfInterest.end(), name);
}

std::vector<RecordEntry> parse_record(std::string_view text) {
  constexpr std::string_view kSha256 = "sha256=";
  std::vector<RecordEntry> entries;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    RecordEntry entry;
    entry.path = next_field(line);
    if (entry.path.empty()) continue;
    const std::string hash = next_field(line);
    if (hash.starts_with(kSha256)) entry.hash = hash.substr(kSha256.size());
    entry.has_other_hash = !hash.empty() && entry.hash.empty();
    entry.size = parse_unsigned(next_field(line)).value_or(0);
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string to_base64url(std::string_view bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const auto part = bytes.substr(at, 3);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = (group << 8U) | (i < part.size() ? static_cast<std::uint8_t>(part[i]) : 0U);
    }
    for (std::size_t i = 0; i <= part.size(); ++i)
      text += kDigits[(group >> (18U - 6U * static_cast<unsigned>(i))) & 63U];
  }
  return text;
}

}  // namespace gpuharden
