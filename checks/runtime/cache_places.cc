// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/runtime/cache_places.h"

#include <algorithm>
#include <array>

namespace gpuharden {
namespace {

constexpr std::array<HomeCache, 16> kHomeCaches = {{
    {".cache/miopen", "miopen"},
    {".config/miopen", "miopen-database"},
    {".cache/rocblas", "rocblas"},
    {".cache/comgr", "comgr"},
    {".nv/ComputeCache", "cuda"},
    {".triton", "triton"},
    {".cupy/kernel_cache", "cupy"},
    {".cache/torch", "torch"},
    {".cache/torch_extensions", "torch-extensions"},
    {".cache/vllm", "vllm"},
    {".cache/sglang", "sglang"},
    {".cache/flashinfer", "flashinfer"},
    {".cache/tvm-ffi", "tvm"},
    {".cache/huggingface", "huggingface"},
    {".cache/jax", "jax"},
    {".cache/numba", "numba"},
}};

constexpr std::array<CacheVariable, 24> kVariables = {{
    {"CUDA_CACHE_PATH", "cuda"},
    {"CUPY_CACHE_DIR", "cupy"},
    {"FLASHINFER_WORKSPACE_BASE", "flashinfer"},
    {"HF_HOME", "huggingface"},
    {"HF_HUB_CACHE", "huggingface"},
    {"HF_MODULES_CACHE", "huggingface"},
    {"HUGGINGFACE_HUB_CACHE", "huggingface"},
    {"AMD_COMGR_CACHE_DIR", "comgr"},
    {"JAX_COMPILATION_CACHE_DIR", "jax"},
    {"MIOPEN_CUSTOM_CACHE_DIR", "miopen"},
    {"MIOPEN_USER_DB_PATH", "miopen-database"},
    {"MIOPEN_SYSTEM_DB_PATH", "miopen-database"},
    {"NUMBA_CACHE_DIR", "numba"},
    {"PYTORCH_KERNEL_CACHE_PATH", "torch"},
    {"SGLANG_CACHE_DIR", "sglang"},
    {"TORCHINDUCTOR_CACHE_DIR", "torch-inductor"},
    {"TORCH_EXTENSIONS_DIR", "torch-extensions"},
    {"TORCH_HOME", "torch"},
    {"TRANSFORMERS_CACHE", "huggingface"},
    {"TRITON_CACHE_DIR", "triton"},
    {"TRITON_DUMP_DIR", "triton"},
    {"TRITON_HOME", "triton"},
    {"TRITON_OVERRIDE_DIR", "triton"},
    {"VLLM_CACHE_ROOT", "vllm"},
}};

}  // namespace

std::span<const HomeCache> home_caches() { return kHomeCaches; }

std::span<const CacheVariable> cache_variables() { return kVariables; }

const CacheVariable* find_cache_variable(std::string_view name) {
  const auto* found =
      std::find_if(kVariables.begin(), kVariables.end(), [&](const auto& one) { return one.name == name; });
  return found == kVariables.end() ? nullptr : found;
}

bool is_volatile_file_system(std::string_view fs_type) {
  return fs_type == "tmpfs" || fs_type == "ramfs" || fs_type == "rootfs" || fs_type == "overlay";
}

}  // namespace gpuharden
