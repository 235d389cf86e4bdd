// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/process/environment_variables.h"

#include <algorithm>
#include <array>

#include "checks/system/redaction.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr auto kInjection = VariableKind::kInjection;
constexpr auto kSearch = VariableKind::kSearch;
constexpr auto kCache = VariableKind::kCache;
constexpr auto kSetting = VariableKind::kSetting;

constexpr VariableOfInterest kVariables[] = {
    {"LD_PRELOAD", kInjection},
    {"LD_AUDIT", kInjection},
    {"LD_LIBRARY_PATH", kSearch},
    {"GCONV_PATH", kSearch},
    {"GLIBC_TUNABLES", kSetting},
    {"LD_DEBUG_OUTPUT", kSetting},
    {"LD_BIND_NOT", kSetting},
    {"CUDA_INJECTION64_PATH", kInjection},
    {"CUDA_INJECTION32_PATH", kInjection},
    {"NVTX_INJECTION64_PATH", kInjection},
    {"NVTX_INJECTION32_PATH", kInjection},
    {"NV_SANITIZER_INJECTION*", kInjection},
    {"NV_NSIGHT_INJECTION*", kInjection},
    {"QUADD_INJECTION_PROXY", kInjection},
    {"NV_COMPUTE_PROFILER_*", kInjection},
    {"COMPUTE_SANITIZER*", kInjection},
    {"NSYS_*", kSetting},
    {"HSA_TOOLS_LIB", kInjection},
    {"HSA_TOOLS_*", kSetting},
    {"ROCP_TOOL_LIB", kInjection},
    {"ROCP_TOOL_LIBRARIES", kInjection},
    {"ROCPROFILER_REGISTER_LIBRARY", kInjection},
    {"ROCPROFILER_REGISTER_FORCE_LOAD", kSetting},
    {"ROCP_*", kSetting},
    {"NCCL_NET_PLUGIN", kInjection},
    {"NCCL_TUNER_PLUGIN", kInjection},
    {"NCCL_PROFILER_PLUGIN", kInjection},
    {"NCCL_ENV_PLUGIN", kInjection},
    {"NCCL_CONF_FILE", kSetting},
    {"NCCL_TOPO_FILE", kSetting},
    {"NCCL_DEBUG_FILE", kSetting},
    {"NVSHMEM_BOOTSTRAP_PLUGIN", kInjection},
    {"UCX_MODULE_DIR", kSearch},
    {"FI_PROVIDER_PATH", kSearch},
    {"OMPI_MCA_*", kSetting},
    {"RCCL_*", kSetting},
    {"NCCL_*", kSetting},
    {"GGML_BACKEND_PATH", kInjection},
    {"OLLAMA_LIBRARY_PATH", kSearch},
    {"OLLAMA_*", kSetting},
    {"LLAMA_ARG_*", kSetting},
    {"CUDA_MPS_PIPE_DIRECTORY", kCache},
    {"CUDA_MPS_LOG_DIRECTORY", kCache},
    {"CUDA_CACHE_PATH", kCache},
    {"CUDA_HOME", kSearch},
    {"CUDA_PATH", kSearch},
    {"CUDACXX", kInjection},
    {"NVCC_PREPEND_FLAGS", kSetting},
    {"NVCC_APPEND_FLAGS", kSetting},
    {"CUDA_COREDUMP_FILE", kSetting},
    {"CUDA_*", kSetting},
    {"NVIDIA_*", kSetting},
    {"TORCH_EXTENSIONS_DIR", kCache},
    {"TRITON_CACHE_DIR", kCache},
    {"TRITON_PTXAS_PATH", kInjection},
    {"TRITON_LIBCUDA_PATH", kSearch},
    {"TORCHINDUCTOR_CACHE_DIR", kCache},
    {"CUPY_CACHE_DIR", kCache},
    {"NUMBA_CUDA_DRIVER", kInjection},
    {"XLA_FLAGS", kSetting},
    {"TORCH_HOME", kCache},
    {"TORCH_*", kSetting},
    {"PYTORCH_*", kSetting},
    {"HSA_*", kSetting},
    {"ROCM_PATH", kSearch},
    {"HIP_PATH", kSearch},
    {"HIP_CLANG_PATH", kSearch},
    {"HIP_DEVICE_LIB_PATH", kSearch},
    {"DEVICE_LIB_PATH", kSearch},
    {"HIPCC_COMPILE_FLAGS_APPEND", kSetting},
    {"OCL_ICD_VENDORS", kSearch},
    {"OPENCL_VENDOR_PATH", kSearch},
    {"VK_ICD_FILENAMES", kInjection},
    {"VK_DRIVER_FILES", kInjection},
    {"VK_LAYER_PATH", kSearch},
    {"__EGL_VENDOR_LIBRARY_FILENAMES", kInjection},
    {"LIBGL_DRIVERS_PATH", kSearch},
    {"GBM_BACKENDS_PATH", kSearch},
    {"ROCBLAS_TENSILE_LIBPATH", kSearch},
    {"HIPBLASLT_TENSILE_LIBPATH", kSearch},
    {"MIOPEN_*", kSetting},
    {"AMD_LOG_LEVEL_FILE", kSetting},
    {"HF_HOME", kCache},
    {"HF_HUB_CACHE", kCache},
    {"TRANSFORMERS_CACHE", kCache},
    {"HF_*", kSetting},
    {"VLLM_*", kSetting},
    {"RAY_RUNTIME_ENV_HOOK", kSetting},
    {"RAY_*", kSetting},
    {"JUPYTER_*", kSetting},
    {"GRADIO_*", kSetting},
    {"PYTHONPATH", kSearch},
    {"PYTHONHOME", kSearch},
    {"PYTHONSTARTUP", kInjection},
    {"PYTHONUSERBASE", kSearch},
    {"PYTHONBREAKPOINT", kSetting},
    {"PYTHONINSPECT", kSetting},
    {"PYTHONOPTIMIZE", kSetting},
    {"PYTHONHTTPSVERIFY", kSetting},
    {"BASH_ENV", kInjection},
    {"PATH", kSearch},
    {"PERL5LIB", kSearch},
    {"PERL5OPT", kSetting},
    {"RUBYOPT", kSetting},
    {"NODE_OPTIONS", kSetting},
    {"JAVA_TOOL_OPTIONS", kSetting},
    {"CURL_CA_BUNDLE", kSetting},
    {"REQUESTS_CA_BUNDLE", kSetting},
    {"SSL_CERT_FILE", kSetting},
    {"PIP_INDEX_URL", kSetting},
    {"PIP_EXTRA_INDEX_URL", kSetting},
    {"PIP_TRUSTED_HOST", kSetting},
    {"UV_*", kSetting},
};

constexpr VariableOfInterest kCredential = {"*", VariableKind::kCredential};

bool is_named(const VariableOfInterest& variable, std::string_view name) {
  if (!variable.name.ends_with("*")) return variable.name == name;
  return name.starts_with(variable.name.substr(0, variable.name.size() - 1));
}

}  // namespace

std::string_view to_string(VariableKind kind) {
  static constexpr std::array<std::string_view, 5> kWords = {"injection", "search", "cache", "setting", "credential"};
  return kWords.at(static_cast<std::size_t>(kind));
}

const VariableOfInterest* find_variable(std::string_view name) {
  if (names_credential(name)) return &kCredential;
  const auto* end = std::end(kVariables);
  const auto* found =
      std::find_if(std::begin(kVariables), end, [&](const auto& variable) { return is_named(variable, name); });
  return found == end ? nullptr : found;
}

std::vector<std::string> paths_of(const VariableOfInterest& variable, std::string_view name, std::string_view value) {
  std::vector<std::string> paths;
  const bool is_search = variable.kind == VariableKind::kSearch;
  const bool is_list = is_search || variable.kind == VariableKind::kInjection;
  if (variable.kind == VariableKind::kCredential ||
      (variable.kind == VariableKind::kSetting && !value.starts_with("/"))) {
    return paths;
  }
  if (!is_list) return {std::string(value)};
  std::string text(value);
  if (name == "LD_PRELOAD") std::replace(text.begin(), text.end(), ' ', ':');
  for (const auto part : split(text, ':')) {
    if (is_search || !part.empty()) paths.emplace_back(part);
  }
  return paths;
}

}  // namespace gpuharden
