// SPDX-License-Identifier: GPL-2.0-or-later
// The units of the system manager, merged.
#include "checks/system/json_list.h"
#include "checks/system/redaction.h"
#include "checks/systemd/unit_command.h"
#include "checks/systemd/unit_environments.h"
#include "checks/systemd/unit_exposure.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"unit", ColumnType::kText, "name, an alias or an instance of a template included: ollama.service",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"type", ColumnType::kText, "service, socket, target, timer, path, mount, …", ColumnFlag::kNotNull},
    {"alias_of", ColumnType::kText, "the unit that this name stands for; NULL for a name of its own"},
    {"aliases", ColumnType::kText,
     "JSON list of other names of the unit; of a masked name also the unit that the mask hides", ColumnFlag::kNotNull},
    {"fragment", ColumnType::kPath, "the unit file, or the link that masks or aliases it", ColumnFlag::kNotNull},
    {"fragment_mode", ColumnType::kMode, "permission bits of the unit file; NULL where it was not read"},
    {"fragment_uid", ColumnType::kInteger, "owner of the unit file; NULL where it was not read"},
    {"dropins", ColumnType::kText, "JSON list of the drop-ins that apply, in their order", ColumnFlag::kNotNull},
    {"state", ColumnType::kText,
     "enabled, disabled, static, indirect, masked, generated, transient, linked, alias, or missing (a link that leads "
     "nowhere); as systemctl is-enabled derives it from files"},
    {"enabled_by", ColumnType::kText,
     "what starts it: links of .wants and .requires folders, units, D-Bus files; comma-separated, NULL when nothing "
     "does"},
    {"startable", ColumnType::kBoolean,
     "1 when a link, an activating socket, timer or path, another startable unit or D-Bus starts it; 0 when masked or "
     "only by hand"},
    {"description", ColumnType::kText, "Description="},
    {"user", ColumnType::kText, "User=; NULL means root"},
    {"group", ColumnType::kText, "Group="},
    {"exec_start", ColumnType::kText,
     "JSON list of the ExecStart= lines that remain after resets, credentials redacted", ColumnFlag::kNotNull},
    {"supplementary_groups", ColumnType::kText, "SupplementaryGroups=, blank-separated"},
    {"device_policy", ColumnType::kText, "DevicePolicy="},
    {"device_allow", ColumnType::kText, "JSON list of DeviceAllow=", ColumnFlag::kNotNull},
    {"private_devices", ColumnType::kBoolean, "PrivateDevices="},
    {"memory_deny_write_execute", ColumnType::kBoolean, "MemoryDenyWriteExecute="},
    {"no_new_privileges", ColumnType::kBoolean, "NoNewPrivileges="},
    {"dynamic_user", ColumnType::kBoolean, "DynamicUser="},
    {"protect_system", ColumnType::kText, "ProtectSystem="},
    {"listen", ColumnType::kText, "JSON list of ListenStream= and ListenDatagram= of a socket", ColumnFlag::kNotNull},
    {"uses_gpu", ColumnType::kBoolean,
     "1 when it likely computes on a GPU: compute nodes in DeviceAllow=, group render, GPU variables, or the name of a "
     "known GPU or AI service (a heuristic)"},
    {"changeable_by", ColumnType::kText,
     "why others than root can change the unit file, a drop-in or a drop-in folder; NULL when they cannot"},
};

std::vector<std::string> values(const Unit& unit, std::initializer_list<std::string_view> names) {
  std::vector<std::string> out;
  for (const auto& setting : unit.settings) {
    for (const auto name : names) {
      if (setting.name == name) out.push_back(setting.value);
    }
  }
  return out;
}

std::optional<std::string> last(const Unit& unit, std::string_view name) {
  const auto all = values(unit, {name});
  return all.empty() || all.back().empty() ? std::nullopt : std::optional(all.back());
}

std::vector<std::string> safe_commands(const Unit& unit) {
  auto commands = values(unit, {"ExecStart"});
  for (auto& command : commands) command = redact_text(command, split_unit_words(command));
  return commands;
}

void set_sandbox(Row& row, const Unit& unit) {
  static constexpr std::pair<std::string_view, std::string_view> kSwitches[] = {
      {"private_devices", "PrivateDevices"},
      {"memory_deny_write_execute", "MemoryDenyWriteExecute"},
      {"no_new_privileges", "NoNewPrivileges"},
      {"dynamic_user", "DynamicUser"}};
  for (const auto& [column, name] : kSwitches) {
    if (const auto value = last(unit, name))
      row.set(column, is_true_word(*value));
    else if (unit.type == "service")
      row.set(column, false);
  }
}

// What is read from the files; `unit` is the final one where the row is an alias.
void set_settings(Row& row, const Unit& unit) {
  const auto groups = values(unit, {"SupplementaryGroups"});
  row.set("description", last(unit, "Description"))
      .set("user", last(unit, "User"))
      .set("group", last(unit, "Group"))
      .set("exec_start", json_list(safe_commands(unit)))
      .set("device_policy", last(unit, "DevicePolicy"))
      .set("device_allow", json_list(values(unit, {"DeviceAllow"})))
      .set("protect_system", last(unit, "ProtectSystem"))
      .set("listen", json_list(values(unit, {"ListenStream", "ListenDatagram"})))
      .set("uses_gpu", uses_gpu(unit));
  if (!groups.empty()) row.set("supplementary_groups", join(groups, " "));
  set_sandbox(row, unit);
}

void set_files(Row& row, const Unit& unit) {
  std::vector<std::string> drop_ins;
  for (const auto& source : unit.sources) {
    const bool is_fragment = source == unit.sources.front() && source->path == unit.fragment;
    if (is_fragment)
      row.set("fragment_mode", source->stat.mode).set("fragment_uid", source->stat.uid);
    else
      drop_ins.push_back(source->path);
  }
  row.set("fragment", unit.fragment).set("dropins", json_list(drop_ins));
}

void add_unit(TableReader& out, const UnitSet& units, const Unit& unit, PathExposure& exposure) {
  const Unit& final = units.final_unit(unit);
  Row row = out.row();
  row.set("unit", unit.name)
      .set("type", unit.type)
      .set("state", unit.state)
      .set("startable", unit.is_startable)
      .set("aliases", json_list(unit.aliases));
  if (!unit.alias_of.empty()) row.set("alias_of", unit.alias_of);
  if (!unit.enabled_by.empty()) row.set("enabled_by", join(unit.enabled_by, ", "));
  set_files(row, unit);
  set_settings(row, final);
  if (!out.wants("changeable_by")) return;
  const auto reason = unit_changeable_by(exposure, unit);
  row.set("changeable_by", reason);
}

void read_systemd_units(TableReader& out) {
  const UnitSet& units = unit_set(out.host(), out.shared());
  for (const auto& gap : units.gaps) out.gap(gap.unit, "*", gap.error);
  PathExposure exposure(out.files());
  for (const auto& unit : units.units) add_unit(out, units, unit, exposure);
}

}  // namespace

Probe systemd_units_probe() {
  return {{"systemd_units",
           "The units of the system manager as systemd would merge them from its search path: fragments, drop-ins, "
           "aliases, masks. "
           "Instances of templates are there when a link or a drop-in folder names them.",
           kColumns, TableCost::kFast, TableLane::kServices},
          &read_systemd_units};
}

}  // namespace gpuharden
