// SPDX-License-Identifier: GPL-2.0-or-later
// The signing keys that GPU vendors and distributions are known to use.
#pragma once

#include <string_view>

namespace gpuharden {

struct VendorKey {
  std::string_view fingerprint;  // upper case
  std::string_view vendor;       // nvidia, amd, debian, ubuntu
  std::string_view use;          // for people: "CUDA repositories"
  std::string_view host;         // of the vendor's repositories that it signs; empty for distributions
  bool is_retired = false;
};

// nullptr when the key is not known.
const VendorKey* find_vendor_key(std::string_view fingerprint);

// Whether a key in use is known for the vendor's repositories on that host.
bool has_known_key(std::string_view host);

}  // namespace gpuharden
