// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/rules/attack.h"

#include "engine/base/text.h"

namespace gpuharden {

TechniqueTable parse_techniques(std::string_view tsv) {
  TechniqueTable table;
  for (const auto line : split(tsv, '\n')) {
    const auto fields = split(line, '\t');
    if (line.empty() || line[0] == '#' || fields.size() < 5) continue;
    Technique technique{std::string(fields[1]), {}, fields[3] == "active", std::string(fields[4])};
    for (const auto tactic : split(fields[2], ';')) {
      if (!tactic.empty()) technique.tactics.emplace_back(tactic);
    }
    table[std::string(fields[0])] = std::move(technique);
  }
  return table;
}

}  // namespace gpuharden
