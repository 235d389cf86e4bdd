// SPDX-License-Identifier: GPL-2.0-or-later
// Installed Python packages by the names of their folders, and what their RECORD lists.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct Distribution {
  std::string name;         // as PEP 503 writes it: "nvidia-cublas-cu12"
  std::string version;      // "2.6.0+cu124"
  std::string folder;       // the entry's own name
  bool has_record = false;  // dist-info: pip's format, which has a list of files
};

// Of an entry "torch-2.6.0+cu124.dist-info" or "PyYAML-6.0.egg-info"; nothing for other names.
std::optional<Distribution> parse_distribution(std::string_view entry);

// Whether the package computes on GPUs or serves AI workloads.
bool is_package_of_interest(std::string_view name);

struct RecordEntry {
  std::string path;  // as written: relative to site-packages
  std::string hash;  // SHA-256, base64url without padding; empty when there is none or another kind
  std::uint64_t size = 0;
  bool has_other_hash = false;
};

// Lines of a RECORD (PEP 376, CSV). Lines without a path are left out.
std::vector<RecordEntry> parse_record(std::string_view text);

// Raw bytes as RECORD writes them: base64url without padding.
std::string to_base64url(std::string_view bytes);

}  // namespace gpuharden
