// SPDX-License-Identifier: GPL-2.0-or-later
// What an initial RAM disk holds of modules and of modprobe's configuration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

struct InitramfsFile {
  std::string name;  // inside the archive, without a leading '/'
  std::uint64_t size = 0;
  std::string content;  // of modprobe.d files only
};

struct Initramfs {
  std::vector<InitramfsFile> modules, modprobe_files;
  std::optional<Error> error;  // not everything could be looked into
};

// Archives one after the other, as the kernel takes them: plain ones (microcode), then compressed.
Initramfs read_initramfs(std::string_view bytes);

}  // namespace gpuharden
