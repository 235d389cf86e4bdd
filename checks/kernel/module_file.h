// SPDX-License-Identifier: GPL-2.0-or-later
// The bodies of module files: signatures and comparison. Costly: whole files are read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/host/files.h"

namespace gpuharden {

struct ModuleFileSignature {
  bool is_signed = false;
  std::optional<std::string> signer;  // common name of the signer, where libkmod can tell it
};

// Compressed files are looked into. kMalformed when there is a trailer whose signature does not fit.
Result<ModuleFileSignature> module_file_signature(const Files& files, std::string_view path);

struct ModuleFileFacts {
  bool is_signed = false;
  // As libkmod tells them; nothing where it cannot.
  std::optional<std::string> signer, signature_key;  // the key's serial number, lower-case hexadecimal
  std::optional<std::string> version, source_version, vermagic;
  std::string build_id;  // lower-case hexadecimal; empty when the file has none
};

// Everything a module file says of itself.
Result<ModuleFileFacts> module_file_facts(const Files& files, std::string_view path);

// Whether two module files differ in what they hold, however each is compressed.
Result<bool> module_files_differ(const Files& files, std::string_view a, std::string_view b);

}  // namespace gpuharden
