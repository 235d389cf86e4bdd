// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel module files and modprobe's configuration, by libkmod.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

// What a module file says of itself: .modinfo, and the signature appended to it.
struct ModuleFileInfo {
  std::optional<std::string> signer;          // common name of the certificate that signed it
  std::optional<std::string> signature_key;   // serial number of that certificate: "1A:2B:…"
  std::optional<std::string> signature_hash;  // sha256, sha512, …
  std::optional<std::string> version, source_version, vermagic, license;
};

// `path` must name a regular file that is not larger, decompressed, than what may be held: libkmod
// decompresses without a bound. kMalformed when it is no module.
Result<ModuleFileInfo> module_file_info(const std::string& path);

struct ModprobeSetting {
  std::string command;  // blacklist, options, install, remove, alias
  std::string key;      // the module, or the alias
  std::string value;    // options, command or module; empty for blacklist
  bool operator==(const ModprobeSetting&) const = default;
};

// modprobe's configuration as libkmod reads it from these folders, in its order for each command;
// the running kernel's command line comes last.
Result<std::vector<ModprobeSetting>> modprobe_settings(const std::vector<std::string>& folders);

}  // namespace gpuharden
