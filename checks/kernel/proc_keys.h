// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's keys, as /proc/keys lists them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct KernelKey {
  std::string description;  // "Debian Secure Boot CA"
  std::string identifier;   // hexadecimal: the subject key identifier, else the serial number; may be empty
};

struct KernelKeys {
  std::vector<KernelKey> keys;  // of certificates
  bool shows_trusted = false;   // the keyring of built-in keys is listed: root's keys are shown
};

KernelKeys parse_proc_keys(std::string_view text);

}  // namespace gpuharden
