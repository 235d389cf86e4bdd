// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/source_vendor.h"

#include <algorithm>
#include <string>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

struct VendorWord {
  std::string_view word;
  std::string_view vendor;
};

// Hosts, and everything below them.
constexpr VendorWord kHosts[] = {
    {"nvidia.com", "nvidia"},   {"nvidia.cn", "nvidia"}, {"nvidia.github.io", "nvidia"},
    {"repo.radeon.com", "amd"}, {"amd.com", "amd"},
};

// Paths of the vendors' own layouts: full mirrors keep them. The last ones are the folders of
// local installer packages.
constexpr VendorWord kPaths[] = {
    {"/compute/cuda/", "nvidia"},
    {"/compute/machine-learning/", "nvidia"},
    {"/libnvidia-container/", "nvidia"},
    {"/nvidia-docker/", "nvidia"},
    {"/nvidia-container-runtime/", "nvidia"},
    {"/compute/nvidia-driver", "nvidia"},
    {"/rocm/apt/", "amd"},
    {"/rocm/packages/", "amd"},
    {"/amdgpu/", "amd"},
    {"/amdgpu-install/", "amd"},
    {"/var/cuda-repo-", "nvidia"},
    {"/var/nvidia-driver-local-repo-", "nvidia"},
    {"/var/cudnn-local-repo-", "nvidia"},
    {"/var/nv-tensorrt-local-repo-", "nvidia"},
};

constexpr VendorWord kReleaseWords[] = {
    {"nvidia", "nvidia"}, {"cuda", "nvidia"}, {"radeon", "amd"}, {"rocm", "amd"}, {"amdgpu", "amd"},
};

constexpr std::string_view kPackagePrefixes[] = {
    "amdgpu",
    "amdrocm",
    "cuda-",
    "cudnn",
    "hip-",
    "hipblas",
    "libcublas",
    "libcuda",
    "libcudnn",
    "libnccl",
    "libnvidia-",
    "libnvinfer",
    "linux-modules-nvidia-",
    "linux-objects-nvidia-",
    "miopen",
    "nvidia-",
    "rccl",
    "rocblas",
    "rocm",
    "xserver-xorg-video-nvidia",
};

bool is_at_or_below(std::string_view host, std::string_view domain) {
  if (host.size() < domain.size() || host.substr(host.size() - domain.size()) != domain) return false;
  return host.size() == domain.size() || host[host.size() - domain.size() - 1] == '.';
}

}  // namespace

bool is_vendor_host(std::string_view host) {
  return std::any_of(std::begin(kHosts), std::end(kHosts),
                     [&](const auto& entry) { return is_at_or_below(host, entry.word); });
}

std::string_view vendor_of_place(std::string_view host, std::string_view path) {
  for (const auto& [domain, vendor] : kHosts) {
    if (is_at_or_below(host, domain)) return vendor;
  }
  const std::string closed = concat({path, "/"});
  for (const auto& [part, vendor] : kPaths) {
    if (closed.find(part) != std::string::npos) return vendor;
  }
  return {};
}

std::string_view vendor_of_release(std::string_view origin, std::string_view label) {
  const std::string text = to_lower(concat({origin, "\n", label}));
  for (const auto& [word, vendor] : kReleaseWords) {
    if (text.find(word) != std::string::npos) return vendor;
  }
  return {};
}

bool is_gpu_package(std::string_view name) {
  return std::any_of(std::begin(kPackagePrefixes), std::end(kPackagePrefixes),
                     [&](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; });
}

}  // namespace gpuharden
