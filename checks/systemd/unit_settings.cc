// SPDX-License-Identifier: GPL-2.0-or-later
// Merging the assignments of a unit's files.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "checks/systemd/unit_name.h"
#include "checks/systemd/unit_set.h"

namespace gpuharden {
namespace {

// Settings that gather values; an empty one drops what was gathered (systemd.directives(7)).
constexpr std::array kListSettings = {"After",
                                      "Alias",
                                      "Also",
                                      "AmbientCapabilities",
                                      "Before",
                                      "BindPaths",
                                      "BindReadOnlyPaths",
                                      "BindsTo",
                                      "BindToDevice",
                                      "BPFProgram",
                                      "CapabilityBoundingSet",
                                      "ConditionACPower",
                                      "ConditionArchitecture",
                                      "ConditionCapability",
                                      "ConditionControlGroupController",
                                      "ConditionDirectoryNotEmpty",
                                      "ConditionEnvironment",
                                      "ConditionFileIsExecutable",
                                      "ConditionFileNotEmpty",
                                      "ConditionFirmware",
                                      "ConditionGroup",
                                      "ConditionHost",
                                      "ConditionKernelCommandLine",
                                      "ConditionKernelVersion",
                                      "ConditionNeedsUpdate",
                                      "ConditionPathExists",
                                      "ConditionPathExistsGlob",
                                      "ConditionPathIsDirectory",
                                      "ConditionPathIsMountPoint",
                                      "ConditionPathIsReadWrite",
                                      "ConditionPathIsSymbolicLink",
                                      "ConditionSecurity",
                                      "ConditionUser",
                                      "ConditionVirtualization",
                                      "ConfigurationDirectory",
                                      "CacheDirectory",
                                      "Conflicts",
                                      "DefaultEnvironment",
                                      "DeviceAllow",
                                      "Documentation",
                                      "Environment",
                                      "EnvironmentFile",
                                      "ExecCondition",
                                      "ExecPaths",
                                      "ExecReload",
                                      "ExecSearchPath",
                                      "ExecStart",
                                      "ExecStartPost",
                                      "ExecStartPre",
                                      "ExecStop",
                                      "ExecStopPost",
                                      "ExecStopPre",
                                      "ExtensionDirectories",
                                      "ExtensionImages",
                                      "ImportCredential",
                                      "InaccessiblePaths",
                                      "IPAddressAllow",
                                      "IPAddressDeny",
                                      "IPEgressFilterPath",
                                      "IPIngressFilterPath",
                                      "JoinsNamespaceOf",
                                      "ListenDatagram",
                                      "ListenFIFO",
                                      "ListenMessageQueue",
                                      "ListenNetlink",
                                      "ListenSequentialPacket",
                                      "ListenSpecial",
                                      "ListenStream",
                                      "ListenUSBFunction",
                                      "LoadCredential",
                                      "LoadCredentialEncrypted",
                                      "LogExtraFields",
                                      "LogFilterPatterns",
                                      "LogsDirectory",
                                      "ManagerEnvironment",
                                      "MountImages",
                                      "NoExecPaths",
                                      "OnActiveSec",
                                      "OnBootSec",
                                      "OnCalendar",
                                      "OnFailure",
                                      "OnStartupSec",
                                      "OnSuccess",
                                      "OnUnitActiveSec",
                                      "OnUnitInactiveSec",
                                      "OpenFile",
                                      "PartOf",
                                      "PassEnvironment",
                                      "PathChanged",
                                      "PathExists",
                                      "PathExistsGlob",
                                      "PathModified",
                                      "DirectoryNotEmpty",
                                      "PropagatesReloadTo",
                                      "PropagatesStopTo",
                                      "ReadOnlyPaths",
                                      "ReadWritePaths",
                                      "ReloadPropagatedFrom",
                                      "RequiredBy",
                                      "Requires",
                                      "RequiresMountsFor",
                                      "Requisite",
                                      "RestrictAddressFamilies",
                                      "RestrictFileSystems",
                                      "RestrictNetworkInterfaces",
                                      "RuntimeDirectory",
                                      "SetCredential",
                                      "SetCredentialEncrypted",
                                      "SocketBindAllow",
                                      "SocketBindDeny",
                                      "Sockets",
                                      "StateDirectory",
                                      "StopPropagatedFrom",
                                      "SupplementaryGroups",
                                      "Symlinks",
                                      "SystemCallArchitectures",
                                      "SystemCallFilter",
                                      "SystemCallLog",
                                      "TemporaryFileSystem",
                                      "UnsetEnvironment",
                                      "UpheldBy",
                                      "Upholds",
                                      "WantedBy",
                                      "Wants",
                                      "WantsMountsFor"};

bool is_list_setting(std::string_view name) {
  static const std::unordered_map<std::string_view, bool> names = [] {
    std::unordered_map<std::string_view, bool> all;
    for (const std::string_view one : kListSettings) all.emplace(one, true);
    return all;
  }();
  return names.contains(name) || name.starts_with("Assert");
}

// The values of one setting: each name resets only itself, within its section.
struct SlotKey {
  std::string_view section, name;
  bool operator==(const SlotKey&) const = default;
};
struct SlotHash {
  std::size_t operator()(const SlotKey& key) const {
    return std::hash<std::string_view>()(key.section) * 31 + std::hash<std::string_view>()(key.name);
  }
};

struct Slot {
  std::vector<std::size_t> at;  // of the settings that count
  bool was_reset = false;
};

}  // namespace

std::vector<UnitSetting> merge_settings(std::string_view unit,
                                        const std::vector<std::shared_ptr<const UnitSource>>& sources) {
  std::vector<UnitSetting> settings;
  std::vector<bool> dropped;
  std::unordered_map<SlotKey, Slot, SlotHash> slots;
  for (const auto& source : sources) {
    for (const auto& assignment : source->text->assignments) {
      const bool is_list = is_list_setting(assignment.name);
      Slot& slot = slots[{assignment.section, assignment.name}];
      const bool resets = !is_list || assignment.value.empty();
      if (resets) {
        for (const auto at : slot.at) dropped[at] = true;
        slot.was_reset = slot.was_reset || (is_list && !slot.at.empty());
        slot.at.clear();
      }
      if (is_list && assignment.value.empty()) continue;
      slot.at.push_back(settings.size());
      dropped.push_back(false);
      const bool has_specifier = assignment.value.find('%') != std::string_view::npos;
      settings.push_back({assignment.section, assignment.name,
                          has_specifier ? expand_specifiers(assignment.value, unit) : std::string(assignment.value),
                          source.get(), assignment.line, static_cast<std::uint32_t>(slot.at.size()), is_list,
                          slot.was_reset});
    }
  }
  std::size_t index = 0;
  std::erase_if(settings, [&](const UnitSetting&) { return dropped[index++]; });
  return settings;
}

std::vector<const UnitSetting*> settings_of(const Unit& unit, std::string_view section, std::string_view name) {
  std::vector<const UnitSetting*> found;
  for (const auto& setting : unit.settings) {
    if (setting.name == name && setting.section == section) found.push_back(&setting);
  }
  return found;
}

std::string_view setting_of(const Unit& unit, std::string_view section, std::string_view name) {
  const auto found = settings_of(unit, section, name);
  return found.empty() ? std::string_view() : std::string_view(found.back()->value);
}

}  // namespace gpuharden
