// SPDX-License-Identifier: GPL-2.0-or-later
// Every rule and policy that this run knows, and how far they can be trusted.
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/host/files.h"
#include "engine/model/floor.h"
#include "engine/model/rule.h"
#include "engine/rules/attack.h"
#include "engine/rules/compiled.h"
#include "engine/rules/diagnostic.h"

namespace gpuharden {

// Where rules lie. Paths are absolute; empty ones are left out.
struct CatalogPlaces {
  std::string rules;      // <rules>/<area>/<name>.yaml, <rules>/floors/*.yaml and <rules>/reference/*.tsv
  std::string policies;   // <policies>/<name>.yaml
  std::string compiled;   // made from the two
  std::string overrides;  // /etc/gpuharden: rules.d/<area>/<name>.yaml, floors.d/*.yaml, policies.d/<name>.yaml
  std::vector<std::string> extra_rules;  // folders named by --rules
  bool is_build_tree = false;            // the first three may change under us, and anyone may own them
};

// The places of the running program: its build tree, or the installed ones.
CatalogPlaces default_places();

struct Catalog {
  std::vector<Rule> rules;        // sorted by id
  std::vector<Policy> policies;   // sorted by name
  std::vector<FloorFile> floors;  // sorted by component
  TechniqueTables techniques;
  std::string digest;
  std::string trust = "shipped";      // shipped, overridden, build-tree or option: the least trusted
  std::vector<std::string> warnings;  // for every report
};

// Reads rules and policies. With faults in any file the diagnostics name all of them and the catalog
// must not be used. Files under /usr/share and /etc that others than root can change are faults.
Catalog load_catalog(const CatalogPlaces& places, const Files& files, std::vector<Diagnostic>& diagnostics);

// The same from YAML alone, for `lint` and for the compiler of the build; `sources` gets each file.
Catalog parse_catalog(const CatalogPlaces& places, const Files& files, std::vector<Diagnostic>& diagnostics,
                      std::vector<CompiledSource>& sources);

}  // namespace gpuharden
