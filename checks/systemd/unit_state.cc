// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/unit_state.h"

#include <algorithm>
#include <array>
#include <deque>

#include "checks/systemd/unit_name.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxReasons = 32;
constexpr std::array<std::string_view, 4> kBusFolders = {"/usr/share/dbus-1/system-services",
                                                         "/usr/local/share/dbus-1/system-services",
                                                         "/lib/dbus-1/system-services", "/run/dbus-1/system-services"};

class StateFinder {
 public:
  StateFinder(const Files& files, const UnitFolders& folders, UnitSet& set)
      : files_(files), folders_(folders), set_(set) {}

  void find() {
    for (const auto& pull : folders_.pulls) start(pull.unit, pull.path);
    for (const auto& unit : set_.units) add_alias_link(unit);
    for (const auto folder : kBusFolders) add_bus_names(std::string(folder));
    start("default.target", "the default target");
    while (!pending_.empty()) {
      const Unit& unit = *pending_.front();
      pending_.pop_front();
      follow(unit);
    }
    for (auto& unit : set_.units) finish(unit);
  }

 private:
  Unit* find_final(std::string_view name) {
    const Unit* unit = set_.find(name);
    if (unit == nullptr || (unit->is_masked && unit->alias_of.empty())) return nullptr;
    const Unit& final = set_.final_unit(*unit);
    if (!final.alias_of.empty() || final.is_missing) return nullptr;
    return &set_.units[static_cast<std::size_t>(&final - set_.units.data())];
  }

  void start(std::string_view name, std::string_view reason) {
    Unit* unit = find_final(name);
    if (unit == nullptr) return;
    auto& reasons = unit->enabled_by;
    const bool known = std::find(reasons.begin(), reasons.end(), reason) != reasons.end();
    if (!known && reasons.size() < kMaxReasons) reasons.emplace_back(reason);
    if (unit->is_masked || unit->is_startable) return;
    unit->is_startable = true;
    pending_.push_back(unit);
  }

  // A link made by [Install] Alias= is how such a unit is enabled; one for D-Bus lets the bus start it.
  void add_alias_link(const Unit& unit) {
    if (unit.alias_of.empty()) return;
    const Unit* final = find_final(unit.name);
    if (final == nullptr) return;
    const auto aliases = settings_of(*final, "Install", "Alias");
    const bool installed = std::any_of(aliases.begin(), aliases.end(), [&](const UnitSetting* setting) {
      const auto words = split_words(setting->value);
      return std::find(words.begin(), words.end(), unit.name) != words.end();
    });
    if (installed && !unit.fragment.starts_with("/usr/") && !unit.fragment.starts_with("/lib/")) {
      set_.units[static_cast<std::size_t>(final - set_.units.data())].enabled_by.push_back(unit.fragment);
      if (unit.name.starts_with("dbus-")) start(unit.name, unit.fragment);
    }
  }

  void add_bus_names(const std::string& folder) {
    const auto entries = files_.list(folder);
    if (!entries) {
      const auto code = entries.error().code;
      if (code != ErrorCode::kNotFound && code != ErrorCode::kNotRegular)
        set_.gaps.push_back({"*", folder, entries.error()});
      return;
    }
    for (const auto& entry : *entries) {
      const std::string path = concat({folder, "/", entry.name});
      if (!entry.name.ends_with(".service")) continue;
      const auto file = files_.read(path);
      if (!file) {
        if (file.error().code != ErrorCode::kNotFound) set_.gaps.push_back({"*", path, file.error()});
        continue;
      }
      const auto text = parse_unit_text(file->bytes);
      for (const auto& assignment : text->assignments) {
        if (assignment.name == "SystemdService") start(assignment.value, path);
      }
    }
  }

  void start_all(const Unit& by, std::string_view section, std::string_view setting) {
    for (const auto* one : settings_of(by, section, setting)) {
      for (const auto name : split_words(one->value)) start(name, by.name);
    }
  }

  void start_activated(const Unit& by, std::string_view section, std::string_view setting) {
    const auto named = setting_of(by, section, setting);
    if (!named.empty()) return start(named, by.name);
    const auto name = parse_unit_name(by.name);
    const bool is_per_connection = by.type == "socket" && is_true(setting_of(by, "Socket", "Accept"));
    const auto stem = by.name.substr(0, by.name.rfind('.'));
    start(concat({stem, is_per_connection && !name->has_at ? "@.service"
                        : by.type == "automount"           ? ".mount"
                                                           : ".service"}),
          by.name);
  }

  static bool is_true(std::string_view text) { return text == "yes" || text == "true" || text == "1" || text == "on"; }

  void follow(const Unit& unit) {
    for (const auto* setting : {"Wants", "Requires", "BindsTo", "Upholds"}) start_all(unit, "Unit", setting);
    if (unit.type == "socket") start_activated(unit, "Socket", "Service");
    if (unit.type == "path") start_activated(unit, "Path", "Unit");
    if (unit.type == "timer") start_activated(unit, "Timer", "Unit");
    if (unit.type == "automount") start_activated(unit, "Automount", "");
  }

  UnitFolderKind kind_of(const Unit& unit) const {
    for (const auto& folder : folders_.folders) {
      const bool inside = unit.fragment.starts_with(folder.path) && unit.fragment[folder.path.size()] == '/';
      if (inside) return folder.kind;
    }
    return UnitFolderKind::kVendor;
  }

  static bool has_enabling_link(const Unit& unit) {
    return std::any_of(unit.enabled_by.begin(), unit.enabled_by.end(), [](const std::string& reason) {
      return reason.starts_with("/etc/systemd/") || reason.starts_with("/run/systemd/system");
    });
  }

  static bool has_install(const Unit& unit, std::initializer_list<std::string_view> names) {
    return std::any_of(unit.settings.begin(), unit.settings.end(), [&](const UnitSetting& setting) {
      return setting.section == "Install" && std::find(names.begin(), names.end(), setting.name) != names.end();
    });
  }

  std::string state_of(const Unit& unit) const {
    if (unit.is_masked) return "masked";
    if (unit.is_missing) return "missing";
    if (kind_of(unit) == UnitFolderKind::kGenerator) return "generated";
    if (kind_of(unit) == UnitFolderKind::kTransient) return "transient";
    if (has_enabling_link(unit)) return "enabled";
    if (unit.is_linked) return "linked";
    if (has_install(unit, {"WantedBy", "RequiredBy", "UpheldBy", "Alias"})) return "disabled";
    return has_install(unit, {"Also", "DefaultInstance"}) ? "indirect" : "static";
  }

  void finish(Unit& unit) {
    if (unit.alias_of.empty()) {
      unit.state = state_of(unit);
      return;
    }
    const Unit& final = set_.final_unit(unit);
    if (&final == &unit) {
      unit.state = "missing";  // an alias of nothing, or of itself
      return;
    }
    unit.state = final.is_masked ? "masked" : "alias";
    unit.is_masked = final.is_masked;
    unit.is_startable = final.is_startable;
    unit.enabled_by = final.enabled_by;
  }

  const Files& files_;
  const UnitFolders& folders_;
  UnitSet& set_;
  std::deque<Unit*> pending_;
};

}  // namespace

void find_unit_states(const Files& files, const UnitFolders& folders, UnitSet& units) {
  StateFinder(files, folders, units).find();
}

}  // namespace gpuharden
