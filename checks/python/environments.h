// SPDX-License-Identifier: GPL-2.0-or-later
// The Python environments of a machine: folders of installed packages in places that are known.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checks/process/mapped_files.h"
#include "engine/scan/probe.h"

namespace gpuharden {

struct PythonEnvironment {
  std::string site_packages;              // /opt/x/lib/python3.12/site-packages, without links
  std::string prefix;                     // /opt/x; "/usr" and "/usr/local" for the distribution's
  std::string source;                     // system, opt, home, unit, process: how it was found first
  std::optional<std::uint32_t> home_uid;  // whose home it lies in
  std::shared_ptr<const ProcessRoot> root;
  std::set<std::uint32_t> used_by;  // users of GPU processes that have code of it mapped
  std::vector<DirectoryEntry> entries;
  std::optional<Error> entries_error;

  const Files& files() const { return root->files(); }
  bool has(std::string_view entry) const;
};

struct PythonEnvironments {
  std::vector<PythonEnvironment> environments;
  std::vector<Error> errors;  // places that could not be looked at
};

// The distribution's and /usr/local's folders; what lies directly in /opt and /srv; fixed names in
// homes; what local units name; and what GPU processes have mapped, each in its own root. Nothing is
// walked. Computed once a reader.
const PythonEnvironments& python_environments(const Host& host, SharedFacts& shared);

}  // namespace gpuharden
