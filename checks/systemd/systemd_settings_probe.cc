// SPDX-License-Identifier: GPL-2.0-or-later
// Every assignment that counts in the merged units.
#include "checks/system/redaction.h"
#include "checks/systemd/unit_environments.h"
#include "checks/systemd/unit_words.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"unit", ColumnType::kText, "name of the unit; aliases have no rows of their own",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"section", ColumnType::kText, "Unit, Service, Socket, Install, …", ColumnFlag::kNotNull},
    {"name", ColumnType::kText, "name of the setting: ExecStart, DeviceAllow", ColumnFlag::kNotNull},
    {"value", ColumnType::kText,
     "its value, specifiers expanded where they are constant, credentials redacted; empty where the setting was "
     "emptied",
     ColumnFlag::kNotNull},
    {"number", ColumnType::kInteger, "position among the values of the setting, from 1", ColumnFlag::kNotNull},
    {"is_list", ColumnType::kBoolean, "1 for settings that gather values; of others only the last assignment is here",
     ColumnFlag::kNotNull},
    {"after_reset", ColumnType::kBoolean, "1 when an empty assignment dropped earlier values of this list",
     ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "the fragment or drop-in that sets it", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "line of that file, from 1", ColumnFlag::kNotNull},
};

// A credential may stand in a command or an environment; SetCredential= holds nothing else.
std::string safe_value(const UnitSetting& setting) {
  if (setting.name == "SetCredential")
    return setting.value.substr(0, setting.value.find(':')) + ":" + redacted(setting.value);
  const bool may_hold_one = setting.name == "Environment" || setting.name.starts_with("Exec");
  if (!may_hold_one) return setting.value;
  return redact_text(setting.value, split_unit_words(setting.value));
}

void read_systemd_settings(TableReader& out) {
  const UnitSet& units = unit_set(out.host(), out.shared());
  for (const auto& gap : units.gaps) out.gap(gap.unit, "*", gap.error);
  for (const auto& unit : units.units) {
    for (const auto& setting : unit.settings) {
      out.row()
          .set("unit", unit.name)
          .set("section", setting.section)
          .set("name", setting.name)
          .set("value", safe_value(setting))
          .set("number", setting.number)
          .set("is_list", setting.is_list)
          .set("after_reset", setting.after_reset)
          .set("file", setting.source->path)
          .set("line", setting.line);
    }
  }
}

}  // namespace

Probe systemd_settings_probe() {
  return {{"systemd_settings",
           "Every assignment that counts in a unit after fragment and drop-ins are merged and lists are reset. One row "
           "a value.",
           kColumns, TableCost::kFast, TableLane::kServices},
          &read_systemd_settings};
}

}  // namespace gpuharden
