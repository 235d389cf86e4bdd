// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/vendor_keys.h"

#include <algorithm>

namespace gpuharden {
namespace {

// Compared with independent copies before they were written down here. The key of repo.amd.com
// could not be confirmed that way and is not listed.
constexpr VendorKey kKeys[] = {
    {"EB693B3035CD5710E231E123A4B469963BF863CC", "nvidia", "CUDA repositories", "developer.download.nvidia.com"},
    {"02182E60104FCDC26EAE1B8597A5D4CB8793F200", "nvidia", "CUDA repositories for Debian 13 and later", "developer.download.nvidia.com"},
    {"AE09FE4BBD223A84B2CCFCE3F60F4B3D7FA2AF80", "nvidia", "CUDA repositories until April 2022", "developer.download.nvidia.com", true},
    {"C95B321B61E88C1809C4F759DDCAE044F796ECB0", "nvidia", "container toolkit", "nvidia.github.io"},
    {"CA8BB4727A47B4D09B4EE8969386B48A1A693C5C", "amd", "ROCm and amdgpu", "repo.radeon.com"},
};

}  // namespace

const VendorKey* find_vendor_key(std::string_view fingerprint) {
  const auto* found = std::find_if(std::begin(kKeys), std::end(kKeys), [&](const auto& key) { return key.fingerprint == fingerprint; });
  return found == std::end(kKeys) ? nullptr : found;
}

bool has_known_key(std::string_view host) {
  return std::any_of(std::begin(kKeys), std::end(kKeys), [&](const auto& key) { return !key.is_retired && key.host == host; });
}

}  // namespace gpuharden
