// SPDX-License-Identifier: GPL-2.0-or-later
// dpkg's database of installed packages.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gpuharden {

// Views into the parsed text.
struct DpkgPackage {
  std::string_view name, architecture, version;
  std::string_view want, error, state;      // the three words of Status: install ok installed
  std::string_view source, source_version;  // Source: may name both; empty when it is the package's own
  std::string_view section, maintainer;
  std::uint32_t line = 0;  // of its first field
};

// Paragraphs of /var/lib/dpkg/status or of a file in status.d. The numbers of lines that are
// neither field, folded line nor empty go to `bad_lines`, as do paragraphs without a name (their
// first line).
std::vector<DpkgPackage> parse_dpkg_status(std::string_view text, std::vector<std::uint32_t>& bad_lines);

}  // namespace gpuharden
