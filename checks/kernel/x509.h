// SPDX-License-Identifier: GPL-2.0-or-later
// What a certificate says of itself. Nothing is verified.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

struct Certificate {
  std::string subject, issuer;                 // "CN=Acme Secure Boot, O=Acme"; parts with other names are left out
  std::string common_name;                     // of the subject; empty when it has none
  std::string serial;                          // lower-case hexadecimal, without leading zeros
  std::string key_id;                          // subject key identifier, lower-case hexadecimal; empty without one
  std::int64_t not_before = 0, not_after = 0;  // seconds since the epoch
  std::vector<std::string> purposes;           // extended key usage, dotted: 1.3.6.1.5.5.7.3.3 is code signing
};

// DER. kMalformed when it is none or is cut; bytes after it are ignored.
Result<Certificate> parse_certificate(std::string_view der);

}  // namespace gpuharden
