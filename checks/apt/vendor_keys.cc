// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/vendor_keys.h"

#include <algorithm>

namespace gpuharden {
namespace {

// Compared with independent copies before they were written down here. The key of repo.amd.com
// could not be confirmed that way and is not listed.
constexpr VendorKey kKeys[] = {
    {"EB693B3035CD5710E231E123A4B469963BF863CC", "nvidia", "CUDA repositories", "developer.download.nvidia.com"},
    {"02182E60104FCDC26EAE1B8597A5D4CB8793F200", "nvidia", "CUDA repositories for Debian 13 and later",
     "developer.download.nvidia.com"},
    {"AE09FE4BBD223A84B2CCFCE3F60F4B3D7FA2AF80", "nvidia", "CUDA repositories until April 2022",
     "developer.download.nvidia.com", true},
    {"C95B321B61E88C1809C4F759DDCAE044F796ECB0", "nvidia", "container toolkit", "nvidia.github.io"},
    {"CA8BB4727A47B4D09B4EE8969386B48A1A693C5C", "amd", "ROCm and amdgpu", "repo.radeon.com"},
    // As the keyring packages of the distributions install them.
    {"1F89983E0081FDE018F3CC9673A4F27B8DD47936", "debian", "Debian 11 archive", ""},
    {"AC530D520F2F3269F5E98313A48449044AAD5C5D", "debian", "Debian 11 security", ""},
    {"A4285295FC7B1A81600062A9605C66F00D6C9793", "debian", "Debian 11 release", ""},
    {"B8B80B5B623EAB6AD8775C45B7C5D7D6350947F8", "debian", "Debian 12 archive", ""},
    {"05AB90340C0C5E797F44A8C8254CF3B5AEC0A8F0", "debian", "Debian 12 security", ""},
    {"4D64FEC119C2029067D6E791F8D2585B8783D481", "debian", "Debian 12 release", ""},
    {"04B54C3CDCA79751B16BC6B5225629DF75B188BD", "debian", "Debian 13 archive", ""},
    {"5E04A1E3223A19A20706E20F9904613D4CCE68C6", "debian", "Debian 13 security", ""},
    {"41587F7DB8C774BCCF131416762F67A0B2C39DE4", "debian", "Debian 13 release", ""},
    {"F6ECB3762474EDA9D21B7022871920D1991BC93C", "ubuntu", "Ubuntu archive, 2018", ""},
    {"790BC7277767219C42C86F933B4FE6ACC0B21F32", "ubuntu", "Ubuntu archive, 2012", ""},
    {"843938DF228D22F7B3742BC0D94AA3F0EFE21092", "ubuntu", "Ubuntu images, 2012", ""},
};

}  // namespace

const VendorKey* find_vendor_key(std::string_view fingerprint) {
  const auto* found =
      std::find_if(std::begin(kKeys), std::end(kKeys), [&](const auto& key) { return key.fingerprint == fingerprint; });
  return found == std::end(kKeys) ? nullptr : found;
}

bool has_known_key(std::string_view host) {
  return std::any_of(std::begin(kKeys), std::end(kKeys),
                     [&](const auto& key) { return !key.is_retired && key.host == host; });
}

}  // namespace gpuharden
