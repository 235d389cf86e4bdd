// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/unit_set.h"

#include <algorithm>

#include "checks/systemd/unit_loader.h"
#include "checks/systemd/unit_state.h"

namespace gpuharden {
namespace {

constexpr int kMaxAliases = 10;

}  // namespace

const Unit* UnitSet::find(std::string_view name) const {
  const auto at = std::lower_bound(units.begin(), units.end(), name,
                                   [](const Unit& unit, std::string_view wanted) { return unit.name < wanted; });
  return at != units.end() && at->name == name ? &*at : nullptr;
}

const Unit& UnitSet::final_unit(const Unit& unit) const {
  const Unit* current = &unit;
  for (int hop = 0; hop < kMaxAliases && !current->alias_of.empty(); ++hop) {
    const Unit* next = find(current->alias_of);
    if (next == nullptr) return unit;
    current = next;
  }
  return current->alias_of.empty() ? *current : unit;
}

UnitSet load_units(const Host& host) {
  UnitSet out;
  const auto folders = list_unit_folders(host.files());
  for (const auto& error : folders.errors) out.gaps.push_back({"*", "*", error});
  UnitLoader(host.files(), folders, out).load();
  find_unit_states(host.files(), folders, out);
  return out;
}

}  // namespace gpuharden
