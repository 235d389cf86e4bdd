// SPDX-License-Identifier: GPL-2.0-or-later
// Container Device Interface: files that say what a container gets with a device's name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

enum class CdiFormat { kYaml, kJson };

struct CdiEdit {
  std::string device;  // of the spec's devices; empty for edits that go with each of them
  std::string kind;    // device, mount, hook
  std::string path;    // on the host
  // As written; without a major number the runtime asks the host's node, and a missing minor number is 0.
  std::optional<std::int64_t> major, minor;
};

struct CdiSpec {
  std::string kind;  // nvidia.com/gpu
  std::vector<std::string> devices;
  std::vector<CdiEdit> edits;
};

// Nothing when the text is no such document.
std::optional<CdiSpec> parse_cdi_spec(std::string_view text, CdiFormat format);

// "535.129.03" of /usr/lib/libcuda.so.535.129.03; nothing for libcuda.so.1, which is no full version.
std::optional<std::string> library_version(std::string_view path);

}  // namespace gpuharden
