// SPDX-License-Identifier: GPL-2.0-or-later
// The system's units as systemd would merge them: fragments, drop-ins, aliases, masks, enablement.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "checks/systemd/unit_file.h"
#include "engine/host/host.h"

namespace gpuharden {

// A fragment or drop-in that was read.
struct UnitSource {
  std::string path;
  FileStat stat;
  std::shared_ptr<const UnitText> text;
};

// An assignment that counts after all files of the unit are merged.
struct UnitSetting {
  std::string_view section, name;  // of the source
  std::string value;               // specifiers expanded where they are constant
  const UnitSource* source = nullptr;
  std::uint32_t line = 0;
  std::uint32_t number = 1;  // position among the values of this setting, from 1
  bool is_list = false;      // the setting gathers values; of others the last one wins
  bool after_reset = false;  // an empty assignment dropped earlier values
};

struct Unit {
  std::string name, type;
  std::string fragment;              // path; empty when only drop-ins or links name the unit
  std::string alias_of;              // the unit that this name stands for; empty for a name of its own
  std::vector<std::string> aliases;  // other names of the same unit; of a masked name also the unit that it hides
  std::string state;                 // enabled disabled static indirect masked generated transient linked alias missing
  bool is_masked = false;
  bool is_linked = false;   // the fragment lies outside the search path
  bool is_missing = false;  // the fragment is a link that leads nowhere
  bool is_startable = false;
  bool is_unread = false;               // a gap stands for it
  std::vector<std::string> enabled_by;  // what starts it: links, activating units, D-Bus
  std::vector<std::string> drop_in_folders;
  std::vector<std::shared_ptr<const UnitSource>> sources;  // the fragment first, then drop-ins in order
  std::vector<UnitSetting> settings;                       // point into `sources`
};

struct UnitGap {
  std::string unit;  // "*" when it is not about one unit
  std::string file;
  Error error;
};

struct UnitSet {
  std::vector<Unit> units;  // by name
  std::vector<UnitGap> gaps;

  // nullptr when there is none of that name.
  const Unit* find(std::string_view name) const;
  // The unit that a name finally means: itself, or what it is an alias of.
  const Unit& final_unit(const Unit& unit) const;
};

// Reads every unit file and drop-in once. Use it by reader.shared().get<UnitSet>(host, load_units).
UnitSet load_units(const Host& host);

// The settings of `sources` in their order, after list resets.
std::vector<UnitSetting> merge_settings(std::string_view unit,
                                        const std::vector<std::shared_ptr<const UnitSource>>& sources);
std::vector<const UnitSetting*> settings_of(const Unit& unit, std::string_view section, std::string_view name);
// The last value; "" when there is none or it is empty.
std::string_view setting_of(const Unit& unit, std::string_view section, std::string_view name);

}  // namespace gpuharden
