// SPDX-License-Identifier: GPL-2.0-or-later
// The MITRE ATT&CK and ATLAS techniques that rules may name.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

struct Technique {
  std::string name;
  std::vector<std::string> tactics;  // short names: initial-access
  bool active = true;
  std::string revoked_by;
};

using TechniqueTable = std::map<std::string, Technique, std::less<>>;

struct TechniqueTables {
  TechniqueTable attack, atlas;
};

// Reads rules/reference/attack.tsv or atlas.tsv: tab-separated id, name, tactics (separated by ';'),
// status, revoked by; '#' starts a comment line.
TechniqueTable parse_techniques(std::string_view tsv);

}  // namespace gpuharden
