// SPDX-License-Identifier: GPL-2.0-or-later
// What libapt-pkg itself makes of a root's source files: the truth that our own reader is held to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

// One repository (URI and suite), after the library has merged all entries that name it.
struct AptRepository {
  std::string uri;  // with a trailing '/'
  std::string suite;
  std::vector<std::string> types;       // deb, deb-src; sorted
  std::vector<std::string> components;  // sorted; empty for a flat repository
  std::string signed_by;                // as the library normalises it
  std::optional<bool> trusted;          // nothing where no entry says
};

struct AptReading {
  bool accepted = false;  // false: apt refuses every source of this root
  std::vector<AptRepository> repositories;
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
};

// The library's own version: "2.6.2".
std::string apt_library_version();

// Reads etc/apt below `root` as apt would there. kLibrary when the library cannot be set up.
// libapt-pkg keeps its state in globals: one call at a time in a process.
Result<AptReading> read_sources(const std::string& root);

}  // namespace gpuharden
